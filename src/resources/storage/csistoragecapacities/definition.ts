import type { CSIStorageCapacity } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { strategy } from './strategy.ts';

/** The resource `csistoragecapacities` of the group `storage`. */
export const csiStorageCapacities = builtIn<CSIStorageCapacity>({
  group: 'storage',
  resource: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  namespaced: true,
  versions: {
    v1beta1: { introduced: '1.21', gate: 'CSIStorageCapacity', deprecated: { since: '1.24' } },
  },
  strategy,
});
