import type { CellContext, Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf, nameOf } from '../../../meta/object-meta.ts';
import { isTrue, stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of storage classes. */
export const columns: readonly Column[] = [
  { ...name, cell: nameOrDefault },
  text('Provisioner', 'Plugin that makes the volumes.', (object) => stringAt(object, 'provisioner')),
  text('ReclaimPolicy', 'What happens to a volume when its claim is deleted.', (object) =>
    stringAt(object, 'reclaimPolicy'),
  ),
  text('VolumeBindingMode', 'When volumes are made and bound.', (object) => stringAt(object, 'volumeBindingMode')),
  text('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => isTrue(object, 'allowVolumeExpansion')),
  age,
];

function nameOrDefault(object: JsonObject, { identifiers: { labelDomain } }: CellContext): string {
  const annotations = annotationsOf(object);
  const marks = [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`];
  const isDefault = marks.some((mark) => annotations[mark] === 'true');
  return isDefault ? `${nameOf(object)} (default)` : nameOf(object);
}
