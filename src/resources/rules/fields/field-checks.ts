import type { NameRule } from '../../../meta/validate-name.ts';
import { errorsOfEach, noErrors, allErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required, duplicate } from '../../../status/field-error.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../../../meta/quantity.ts';

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

/** The Status that answers the create of a sub-resource which returns no object. */
export function success(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/**
 * The indices of items that repeat an earlier item. Two items are the same if `identityOf` returns
 * the same value for both.
 */
export function repeatsOf<Item>(
  items: readonly Item[],
  identityOf: (item: Item) => unknown = (item) => item,
): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeats = new Set<number>();
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item);
    if (seen.has(identity)) repeats.add(index);
    else seen.add(identity);
  }
  return repeats;
}

/** True if the quantity `left` is greater than `right`. False if either is not a quantity. */
export function isMoreThan(left: string, right: string): boolean {
  const [a, b] = [parseQuantity(left), parseQuantity(right)];
  return !('error' in a) && !('error' in b) && compareQuantities(a, b) > 0;
}

/**
 * The number of bytes that a valid base64 string (RFC 4648 section 4) encodes, without decoding it.
 */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** An object with conditions. */
type Conditioned = { readonly status: { readonly conditions?: readonly { readonly type?: string }[] } };

/** Checks that the types of `status.conditions` are unique and not empty. */
export function checkConditionTypes({ status: { conditions = [] } }: Conditioned): readonly FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  const repeats = repeatsOf(types);
  return errorsOfEach(types, (type, index) => {
    const field = `status.conditions[${index}].type`;
    return allErrors(
      repeats.has(index) ? [duplicate(field, type)] : noErrors,
      type === '' ? [required(field, 'must not be empty')] : noErrors,
    );
  });
}
