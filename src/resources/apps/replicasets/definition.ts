import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { scale, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `replicasets` of the group `apps`. */
export const replicaSets = builtIn({
  group: 'apps',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
  versions: { v1: { introduced: '1.9' } },
  shortNames: ['rs'],
  categories: ['all'],
  subresources: [scale, status],
  columns,
  strategy,
});
