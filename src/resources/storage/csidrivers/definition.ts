import { builtIn } from '../../built-in.ts';
import { age, flag, name, text } from '../../columns.ts';
import { strategy } from './strategy.ts';

/** The resource `csidrivers` of the group `storage`. */
export const csiDrivers = builtIn({
  group: 'storage',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  versions: {
    v1: {},
    v1beta1: { deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns: [name, flag('AttachRequired'), flag('PodInfoOnMount'), text('Modes'), age],
  strategy,
});
