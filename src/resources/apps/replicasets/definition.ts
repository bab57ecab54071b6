import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { scale, scaleIn, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `replicasets` of the group `apps`. */
export const replicaSets = builtIn({
  group: 'apps',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
  },
  shortNames: ['rs'],
  categories: ['all'],
  subresources: [{ ...scale, versions: ['v1'] }, scaleIn('apps', 'v1beta2'), status],
  columns,
  strategy,
});
