import type { FieldError } from './field-error.ts';

/** What nearly every rule answers: one list for all of them. */
export const noErrors: readonly FieldError[] = Object.freeze([]);

/**
 * Errors that are collected of one object. Checks of further items are left out then, because a body of megabytes can hold
 * a million items that are all wrong, and an answer shows a hundred.
 */
export const collectedErrorLimit = 10_000;

/** What several rules have found, in their order. Nearly all find nothing, and that makes no list. */
export function allErrors(...found: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return errorsOfEach(found, (errors) => errors);
}

/** What a rule has found in each of several things, in their order, until `collectedErrorLimit` is reached. */
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
