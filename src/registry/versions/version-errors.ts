import type { JsonObject } from '../../meta/json-value.ts';
import { noErrors } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';

/** The errors of objects that were converted, as long as the objects exist. */
const errorsOf = new WeakMap<JsonObject, readonly FieldError[]>();

/**
 * Keeps the errors of a request's version with the converted object, until it is validated. They
 * are found earlier, because the converted object does not show them.
 */
export function keepVersionErrors(object: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) errorsOf.set(object, errors);
}

/** The errors that the version of the request found in an object before its conversion. */
export function versionErrorsOf(object: JsonObject): readonly FieldError[] {
  return errorsOf.get(object) ?? noErrors;
}
