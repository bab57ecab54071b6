import type { NameRule } from '../../../meta/validate-name.ts';
import { errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** Checks a string against a rule. Each message of the rule becomes an error of the field. */
export function checkString(field: string, value: string, rule: NameRule): readonly FieldError[] {
  const messages = rule(value);
  return messages.length === 0 ? noErrors : messages.map((message) => invalid(field, value, message));
}

/** As `checkString`, but an empty value is reported as Required with `detail`. */
export function checkRequiredString(field: string, value: string, rule: NameRule, detail = ''): readonly FieldError[] {
  return value === '' ? [required(field, detail)] : checkString(field, value, rule);
}

/** Collects the errors of all items of a list. `check` receives each item and its path. */
export function checkEach<Item>(
  field: string,
  items: readonly Item[],
  check: (item: Item, path: string) => readonly FieldError[],
): readonly FieldError[] {
  return errorsOfEach(items, (item, index) => check(item, `${field}[${index}]`));
}

/** Checks that the named numbers of an object are not negative. Missing numbers are allowed. */
export function checkCounts<T extends object>(
  path: string,
  object: T,
  names: readonly (keyof T & string)[],
): readonly FieldError[] {
  return errorsOfEach(names, (name) => {
    const value = Number(object[name] ?? 0);
    return value < 0 ? checkNotNegative(`${path}.${name}`, value) : noErrors;
  });
}

/** Checks that an optional number is not negative. */
export function checkNotNegative(field: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : noErrors;
}
