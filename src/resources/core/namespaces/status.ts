import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';

/** Checks that the phase agrees with the deletion timestamp. */
export function validateNamespaceStatus(namespace: JsonObject): FieldError[] {
  const phase = stringAt(objectAt(namespace, 'status'), 'phase');
  const deleting = isSet(objectAt(namespace, 'metadata'), 'deletionTimestamp');
  if (deleting && phase !== 'Terminating') {
    return [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  if (!deleting && phase !== 'Active') {
    return [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  return [];
}
