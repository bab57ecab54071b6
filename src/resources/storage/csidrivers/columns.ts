import type { Column } from '../../../codec/table.ts';
import { isTrue, objectAt, stringsAt } from '../../../meta/read-field.ts';
import { age, flag, name, text } from '../../columns/column.ts';

/** The columns of CSI drivers. */
export const columns: readonly Column[] = [
  name,
  flag('AttachRequired', 'Whether volumes are attached before they are mounted.', (object) =>
    isTrue(objectAt(object, 'spec'), 'attachRequired'),
  ),
  flag('PodInfoOnMount', 'Whether the driver is given the pod when it mounts a volume.', (object) =>
    isTrue(objectAt(object, 'spec'), 'podInfoOnMount'),
  ),
  text('Modes', 'Lifecycles of volumes that the driver supports.', (object) =>
    stringsAt(objectAt(object, 'spec'), 'volumeLifecycleModes').join(','),
  ),
  age,
];
