import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { sameValue, setDefault, stringAt } from '../../../meta/read-field.ts';
import { checkRequiredString } from '../../rules/check.ts';

/** Storage classes. */
export const definition: ResourceDefinition = {
  group: 'storage',
  resource: 'storageclasses',
  strategy: {
    returnsDeletedObject: true,
    default: (storageClass) => {
      setDefault(storageClass, 'reclaimPolicy', 'Delete');
      setDefault(storageClass, 'volumeBindingMode', 'Immediate');
    },
    validate: (storageClass) =>
      checkRequiredString('provisioner', stringAt(storageClass, 'provisioner').toLowerCase(), validateQualifiedName),
    validateUpdate: checkFixedFields,
  },
};

/** Volumes have been made by these. */
const fixed = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'];

function checkFixedFields(storageClass: JsonObject, old: JsonObject): FieldError[] {
  return fixed
    .filter((name) => !sameValue(getOwn(storageClass, name), getOwn(old, name)))
    .map((name) => forbidden(name, `updates to ${name} are forbidden.`));
}
