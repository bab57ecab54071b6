import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { accessModes, phaseOf, storageAmount, storageClassOf, volumeMode } from '../../columns/storage-volume.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `persistentvolumeclaims` of the core group. */
export const persistentVolumeClaims = builtIn<PersistentVolumeClaim>({
  group: '',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['pvc'],
  subresources: [statusSubresource],
  // Capacity and access modes are those of the volume, once there is one.
  columns: [
    nameColumn,
    textColumn('Status', 'Phase of the claim.', phaseOf),
    textColumn('Volume', 'Volume that the claim is bound to.', ({ spec }) => spec.volumeName ?? ''),
    textColumn('Capacity', 'Size of the volume.', ({ spec, status: { capacity } }) =>
      spec.volumeName ? storageAmount(capacity) : '',
    ),
    textColumn('Access Modes', 'How the volume can be mounted.', ({ spec, status: observed }) =>
      spec.volumeName ? accessModes(observed.accessModes) : '',
    ),
    textColumn('StorageClass', 'Storage class that the claim requires.', storageClassOf),
    ageColumn,
    volumeMode,
  ],
  strategy,
});
