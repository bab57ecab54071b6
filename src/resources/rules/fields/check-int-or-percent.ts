import type { JsonValue } from '../../../meta/json-value.ts';
import { parsePercent } from '../../../kinds/meta/parse-percent.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkNotNegative } from './field-checks.ts';

/** Checks an integer or a percentage: not negative, and a string must be a percentage. */
export function checkIntOrPercent(field: string, value: JsonValue | undefined): readonly FieldError[] {
  if (typeof value === 'number') return checkNotNegative(field, value);
  return typeof value === 'string' && parsePercent(value) === undefined
    ? [
        invalid(
          field,
          value,
          "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', " +
            "regex used for validation is '[0-9]+%')",
        ),
      ]
    : noErrors;
}

/** Checks that a percentage is at most 100%. Integers have no limit. */
export function checkAtMostAll(field: string, value: JsonValue | undefined): readonly FieldError[] {
  const percent = typeof value === 'string' ? parsePercent(value) : undefined;
  return percent !== undefined && percent > 100 ? [invalid(field, value, 'must not be greater than 100%')] : noErrors;
}

/**
 * True if an integer or a percentage is zero or missing. A string that is neither counts as zero,
 * as in kube-apiserver.
 */
export function isNothing(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return value === undefined || value === 0;
  return parsePercent(value) === 0 || (parsePercent(value) === undefined && !/^[+-]?0*[1-9][0-9]*$/.test(value));
}
