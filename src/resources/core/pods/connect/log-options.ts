import type { PodLogOptions } from '../../../../gen/stored/core-v1.ts';
import { FieldCursor } from '../../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../../status/field-error.ts';

/** Returns the errors of the options of `pods/log`. */
export function validateLogOptions(given: PodLogOptions): readonly FieldError[] {
  const options = new FieldCursor(given);
  const { tailLines = 0, limitBytes = 1, sinceSeconds = 1, sinceTime } = given;
  if (tailLines < 0) options.at('tailLines').reportInvalid('must be greater than or equal to 0');
  if (limitBytes < 1) options.at('limitBytes').reportInvalid('must be greater than 0');
  if (given.sinceSeconds !== undefined && sinceTime !== undefined) {
    // The path of the options as a whole, in the spelling of kube-apiserver.
    options.report(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds < 1) options.at('sinceSeconds').reportInvalid('must be greater than 0');
  return options.errors;
}
