import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, required } from '../../../status/field-error.ts';
import { repeatsOf } from './repeats.ts';

/** Checks that the types of `status.conditions` are unique and not empty. */
export function checkConditionTypes(object: JsonObject): readonly FieldError[] {
  const types = objectsAt(objectAt(object, 'status'), 'conditions').map((condition) => stringAt(condition, 'type'));
  const repeats = repeatsOf(types);
  return errorsOfEach(types, (type, index) => {
    const field = `status.conditions[${index}].type`;
    return allErrors(
      repeats.has(index) ? [duplicate(field, type)] : noErrors,
      type === '' ? [required(field, 'must not be empty')] : noErrors,
    );
  });
}
