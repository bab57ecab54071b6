import type { JsonValue } from '../../meta/json-value.ts';
import { parsePercent } from '../../meta/int-or-string.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { checkNotNegative } from './check.ts';

/** A count, or a share of one in percent. */
export function checkIntOrPercent(field: string, value: JsonValue | undefined): FieldError[] {
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
    : [];
}
