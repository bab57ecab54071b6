import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { scale, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `statefulsets` of the group `apps`. */
export const statefulSets = builtIn({
  group: 'apps',
  resource: 'statefulsets',
  kind: 'StatefulSet',
  namespaced: true,
  versions: { v1: { introduced: '1.9' } },
  shortNames: ['sts'],
  categories: ['all'],
  subresources: [scale, status],
  columns,
  strategy,
});
