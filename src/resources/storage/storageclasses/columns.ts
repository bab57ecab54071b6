import type { CellContext, Column } from '../../../codec/table.ts';
import type { StorageClass } from '../../../gen/stored/storage-v1.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of storage classes. */
export const columns: readonly Column<StorageClass>[] = [
  { ...name, cell: nameOrDefault },
  text('Provisioner', 'Plugin that makes the volumes.', ({ provisioner }) => provisioner),
  text('ReclaimPolicy', 'What happens to a volume when its claim is deleted.', ({ reclaimPolicy }) => reclaimPolicy),
  text('VolumeBindingMode', 'When volumes are made and bound.', (object) => object.volumeBindingMode),
  text('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => object.allowVolumeExpansion ?? false),
  age,
];

function nameOrDefault({ metadata }: StorageClass, { identifiers: { labelDomain } }: CellContext): string {
  const { name: own = '', annotations = {} } = metadata;
  const marks = [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`];
  const isDefault = marks.some((mark) => annotations[mark] === 'true');
  return isDefault ? `${own} (default)` : own;
}
