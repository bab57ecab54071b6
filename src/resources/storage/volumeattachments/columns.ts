import type { Column } from '../../../codec/table.ts';
import type { VolumeAttachment } from '../../../gen/stored/storage-v1.ts';
import { age, flag, name, text } from '../../columns/column.ts';

/** The columns of volume attachments. */
export const columns: readonly Column<VolumeAttachment>[] = [
  name,
  { ...text('Attacher', 'Driver that attaches the volume.', ({ spec }) => spec.attacher), format: 'name' },
  text('PV', 'Persistent volume that is attached.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
  text('Node', 'Node that the volume is attached to.', ({ spec }) => spec.nodeName),
  flag('Attached', 'Whether the volume is attached.', ({ status }) => status.attached),
  age,
];
