import { isDeepStrictEqual } from 'node:util';
import { FlagValueError, type FlagType } from './flag-types.ts';
import { nearName } from './near-name.ts';

/** Says what the value of an option should be, as in `use a list`; undefined if it is that. */
export type OptionCheck = (value: unknown) => string | undefined;

/** The checks of options by their names. */
export type OptionChecks = Readonly<Record<string, OptionCheck>>;

/**
 * Checks options that a program gives, whose types may not have been checked: it can be written in
 * JavaScript. Those that are undefined are not given. Throws TypeError with the name of the first
 * option that is unknown or wrong; names after `others` are known too. Values are not in the
 * message: some are secret.
 */
export function checkOptions(given: unknown, checks: OptionChecks, others: readonly string[] = []): void {
  if (typeof given !== 'object' || given === null) throw new TypeError('the options are no object');
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || others.includes(name)) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw new TypeError(unknownOption(name, [...Object.keys(checks), ...others]));
    const expected = check(value);
    if (expected !== undefined) throw new TypeError(`the option ${name} is not valid: ${expected}`);
  }
}

function unknownOption(name: string, known: readonly string[]): string {
  const near = nearName(name, known);
  return `unknown option ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** The check of an option that a flag of this type sets: of its JavaScript type and its range. */
export function flagCheck(type: FlagType<unknown>): OptionCheck {
  return (value) => {
    try {
      if (Array.isArray(value)) return elementProblem(type, value);
      const text: unknown = type.format(value);
      if (typeof text !== 'string') return expectation(type);
      const parsed = type.parse(text);
      return isDeepStrictEqual(parsed, value) ? undefined : `use a ${typeof parsed}`;
    } catch (error) {
      // Values of other types cannot even be formatted.
      return error instanceof FlagValueError && type.placeholder !== 'duration' ? error.message : expectation(type);
    }
  };
}

function elementProblem(type: FlagType<unknown>, values: readonly unknown[]): string | undefined {
  if (!type.join) return expectation(type);
  for (const value of values) type.parse(type.format([value]));
  return undefined;
}

function expectation(type: FlagType<unknown>): string {
  const { placeholder, words } = type;
  if (placeholder === undefined) return 'use true or false';
  if (placeholder === 'duration') return 'use a number of milliseconds';
  if (words) return `use ${words.join(', ')}`;
  return type.join ? `use a list of ${placeholder}` : `use a ${placeholder}`;
}
