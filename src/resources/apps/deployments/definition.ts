import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { scale, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `deployments` of the group `apps`. */
export const deployments = builtIn({
  group: 'apps',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  versions: { v1: { introduced: '1.9' } },
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [scale, status],
  columns,
  strategy,
});
