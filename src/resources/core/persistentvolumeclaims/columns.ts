import type { Column } from '../../../codec/table.ts';
import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { requestedStorageClass } from '../../../kinds/core/persistent-volume-claim.ts';
import { age, name, text } from '../../columns/column.ts';
import { accessModes, storageAmount, volumeMode } from '../../columns/storage-volume.ts';

/** The columns of claims. Capacity and access modes are those of the volume, once there is one. */
export const columns: readonly Column[] = [
  name,
  text('Status', 'Phase of the claim.', (object) =>
    deletionTimestampOf(object) === '' ? stringAt(objectAt(object, 'status'), 'phase') : 'Terminating',
  ),
  text('Volume', 'Volume that the claim is bound to.', volume),
  text('Capacity', 'Size of the volume.', (object) =>
    volume(object) === '' ? '' : storageAmount(objectAt(object, 'status'), 'capacity'),
  ),
  text('Access Modes', 'How the volume can be mounted.', (object) =>
    volume(object) === '' ? '' : accessModes(objectAt(object, 'status')),
  ),
  text(
    'StorageClass',
    'Storage class that the claim requires.',
    (object, { identifiers }) => requestedStorageClass(object as PersistentVolumeClaim, identifiers) ?? '',
  ),
  age,
  volumeMode,
];

function volume(claim: JsonObject): string {
  return stringAt(objectAt(claim, 'spec'), 'volumeName');
}
