import type { Column } from '../../../codec/table.ts';
import type { CSIDriver } from '../../../gen/stored/storage-v1.ts';
import { age, flag, name, text } from '../../columns/column.ts';

/** The columns of CSI drivers. */
export const columns: readonly Column<CSIDriver>[] = [
  name,
  flag('AttachRequired', 'Whether volumes are attached before they are mounted.', ({ spec }) => spec.attachRequired),
  flag(
    'PodInfoOnMount',
    'Whether the driver is given the pod when it mounts a volume.',
    ({ spec }) => spec.podInfoOnMount,
  ),
  text('Modes', 'Lifecycles of volumes that the driver supports.', ({ spec }) => spec.volumeLifecycleModes.join(',')),
  age,
];
