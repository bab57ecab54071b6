import type { Column } from '../../../codec/table.ts';
import type { PersistentVolume } from '../../../gen/stored/core-v1.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { requestedStorageClass } from '../../../kinds/core/persistent-volume-claim.ts';
import { age, name, text } from '../../columns/column.ts';
import { accessModes, storageAmount, volumeMode } from '../../columns/storage-volume.ts';

/** The columns of persistent volumes. */
export const columns: readonly Column[] = [
  name,
  text('Capacity', 'Size of the volume.', (object) => storageAmount(objectAt(object, 'spec'), 'capacity')),
  text('Access Modes', 'How the volume can be mounted.', (object) => accessModes(objectAt(object, 'spec'))),
  text('Reclaim Policy', 'What happens to the volume when its claim is deleted.', (object) =>
    stringAt(objectAt(object, 'spec'), 'persistentVolumeReclaimPolicy'),
  ),
  text('Status', 'Phase of the volume.', (object) =>
    deletionTimestampOf(object) === '' ? stringAt(objectAt(object, 'status'), 'phase') : 'Terminating',
  ),
  text('Claim', 'Namespace and name of the claim that the volume is bound to.', claim),
  text(
    'StorageClass',
    'Storage class of the volume.',
    (object, { identifiers }) => requestedStorageClass(object as PersistentVolume, identifiers) ?? '',
  ),
  text('Reason', 'Reason of the phase.', (object) => stringAt(objectAt(object, 'status'), 'reason')),
  age,
  volumeMode,
];

function claim(volume: JsonObject): string {
  const spec = objectAt(volume, 'spec');
  if (!isSet(spec, 'claimRef')) return '';
  const reference = objectAt(spec, 'claimRef');
  return `${stringAt(reference, 'namespace')}/${stringAt(reference, 'name')}`;
}
