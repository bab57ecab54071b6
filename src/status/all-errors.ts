import type { FieldError } from './field-error.ts';

/** The result of most rules: one shared empty list. */
export const noErrors: readonly FieldError[] = Object.freeze([]);

/**
 * Limit of the errors collected for an object; further items are not checked. A body of megabytes
 * can hold a million wrong items, while a response shows a hundred.
 */
export const collectedErrorLimit = 10_000;

/**
 * Joins the errors of several rules in order. Creates no list if there are none, as nearly
 * always.
 */
export function allErrors(...found: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return errorsOfEach(found, (errors) => errors);
}

/** Joins the errors of a rule for each item in order; stops at `collectedErrorLimit`. */
export function errorsOfEach<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => readonly FieldError[],
): readonly FieldError[] {
  let first = noErrors;
  let all: FieldError[] | undefined;
  for (let index = 0; index < items.length; index++) {
    // Within bounds, by the condition of the loop.
    const errors = check(items[index] as Item, index);
    if (errors.length === 0) continue;
    if (first.length === 0) first = errors;
    else {
      all ??= first.slice();
      for (const error of errors) all.push(error);
    }
    if ((all ?? first).length >= collectedErrorLimit) break;
  }
  return all ?? first;
}
