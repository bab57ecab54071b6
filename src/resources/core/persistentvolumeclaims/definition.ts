import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { age, name, text } from '../../columns/column.ts';
import { accessModes, phaseOf, storageAmount, storageClassOf, volumeMode } from '../../columns/storage-volume.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `persistentvolumeclaims` of the core group. */
export const persistentVolumeClaims = builtIn<PersistentVolumeClaim>({
  group: '',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['pvc'],
  subresources: [status],
  // Capacity and access modes are those of the volume, once there is one.
  columns: [
    name,
    text('Status', 'Phase of the claim.', phaseOf),
    text('Volume', 'Volume that the claim is bound to.', ({ spec }) => spec.volumeName ?? ''),
    text('Capacity', 'Size of the volume.', ({ spec, status: { capacity } }) =>
      spec.volumeName ? storageAmount(capacity) : '',
    ),
    text('Access Modes', 'How the volume can be mounted.', ({ spec, status: observed }) =>
      spec.volumeName ? accessModes(observed.accessModes) : '',
    ),
    text('StorageClass', 'Storage class that the claim requires.', storageClassOf),
    age,
    volumeMode,
  ],
  strategy,
});
