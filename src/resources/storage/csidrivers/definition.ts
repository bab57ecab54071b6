import type { CSIDriver } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `csidrivers` of the group `storage`. */
export const csiDrivers = builtIn<CSIDriver>({
  group: 'storage',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
