import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt } from '../../../meta/read-field.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';

const positive = 'must be greater than 0';

/** Returns the errors of the options of `pods/log` (PodLogOptions). */
export function validateLogOptions(options: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const atLeast = (field: string, least: number, message: string): void => {
    const value = numberAt(options, field);
    if (value !== undefined && value < least) errors.push(invalid(field, value, message));
  };
  atLeast('tailLines', 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', 1, positive);
  if (isSet(options, 'sinceSeconds') && isSet(options, 'sinceTime')) {
    // The path of the options as a whole, in the spelling of kube-apiserver.
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else atLeast('sinceSeconds', 1, positive);
  return errors;
}
