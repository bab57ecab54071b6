import type { Column } from '../../../codec/table.ts';
import { isTrue, objectAt, stringAt } from '../../../meta/read-field.ts';
import { age, flag, name, text } from '../../columns/column.ts';

/** The columns of volume attachments. */
export const columns: readonly Column[] = [
  name,
  {
    ...text('Attacher', 'Driver that attaches the volume.', (object) => stringAt(objectAt(object, 'spec'), 'attacher')),
    format: 'name',
  },
  text('PV', 'Persistent volume that is attached.', (object) =>
    stringAt(objectAt(object, 'spec', 'source'), 'persistentVolumeName'),
  ),
  text('Node', 'Node that the volume is attached to.', (object) => stringAt(objectAt(object, 'spec'), 'nodeName')),
  flag('Attached', 'Whether the volume is attached.', (object) => isTrue(objectAt(object, 'status'), 'attached')),
  age,
];
