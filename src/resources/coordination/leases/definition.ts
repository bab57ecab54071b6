import type { Lease } from '../../../gen/stored/coordination-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `leases` of the group `coordination`. */
export const leases = builtIn<Lease>({
  group: 'coordination',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
  versions: {
    v1: { introduced: '1.14' },
    v1beta1: { introduced: '1.12', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
