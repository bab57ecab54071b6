import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { scale, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `replicationcontrollers` of the core group. */
export const replicationControllers = builtIn({
  group: '',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['rc'],
  categories: ['all'],
  subresources: [scale, status],
  columns,
  strategy,
});
