import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt } from '../../../meta/read-field.ts';
import type { NameRule } from '../../../meta/validate-name.ts';
import { errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** Every complaint of a rule about a value, as errors of the field. */
export function checkString(field: string, value: string, rule: NameRule): readonly FieldError[] {
  const messages = rule(value);
  return messages.length === 0 ? noErrors : messages.map((message) => invalid(field, value, message));
}

/** As `checkString`, but an empty value is a missing one. */
export function checkRequiredString(field: string, value: string, rule: NameRule, detail = ''): readonly FieldError[] {
  return value === '' ? [required(field, detail)] : checkString(field, value, rule);
}

/** The errors of every item of a list; `check` is given the item and its path. */
export function checkEach<Item>(
  field: string,
  items: readonly Item[],
  check: (item: Item, path: string) => readonly FieldError[],
): readonly FieldError[] {
  return errorsOfEach(items, (item, index) => check(item, `${field}[${index}]`));
}

/** Numbers of an object that count something. */
export function checkCounts(path: string, object: JsonObject, names: readonly string[]): readonly FieldError[] {
  return errorsOfEach(names, (name) => {
    const value = numberAt(object, name);
    return value !== undefined && value < 0 ? checkNotNegative(`${path}.${name}`, value) : noErrors;
  });
}

/** The rule of every optional count: not below zero. */
export function checkNotNegative(field: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : noErrors;
}
