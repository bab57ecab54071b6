import type { FieldError } from './field-error.ts';

/** What nearly every rule answers: one list for all of them. */
export const noErrors: readonly FieldError[] = Object.freeze([]);

/** What several rules have found, in their order. Nearly all find nothing, and that makes no list. */
export function allErrors(...found: readonly (readonly FieldError[])[]): readonly FieldError[] {
  let all = noErrors;
  for (const errors of found) if (errors.length > 0) all = all.length === 0 ? errors : [...all, ...errors];
  return all;
}

/** What a rule has found in each of several things, in their order. */
export function errorsOfEach<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => readonly FieldError[],
): readonly FieldError[] {
  let all = noErrors;
  for (let index = 0; index < items.length; index++) {
    // Within bounds, by the condition of the loop.
    const errors = check(items[index] as Item, index);
    if (errors.length > 0) all = all.length === 0 ? errors : [...all, ...errors];
  }
  return all;
}
