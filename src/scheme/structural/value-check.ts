import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { type FieldError, invalid, invalidType } from '../../status/field-error.ts';

/** The place of a value, and the errors found. */
export interface ValueCheck {
  /** The names of fields down to the value, joined by dots; see `hasIndexes` for items of lists. */
  readonly name: string;
  readonly report: Report;
  /** The value before an update, at the same place; undefined if there is none. */
  readonly old?: JsonValue | undefined;
}

/** Errors of one value, at most as many as are collected. `base` is the path of the whole value. */
export interface Report {
  readonly base: string;
  /** Undefined if it only matters whether there are any: they are not made then. */
  readonly errors: FieldError[] | undefined;
  isBroken: boolean;
  readonly effort: Effort;
  /**
   * True for the errors of release 1.27 and later: items of lists have a step, sizes have errors of
   * their own, and a wrong format is a wrong type.
   */
  readonly hasIndexes: boolean;
}

/** The work that is left for one value. */
export interface Effort {
  /** Comparisons. */
  left: number;
  /** Steps of patterns: characters times the size of the pattern. */
  matching: number;
}

/** Checks a value, and reports its errors. */
export type Rule = (value: JsonValue, check: ValueCheck) => void;

/** Reports an error, which is made if it is wanted. */
export function add({ report }: ValueCheck, make: () => FieldError): void {
  report.isBroken = true;
  report.errors?.push(make());
}

/** The path of a value in the whole object. */
export function pathOf({ name, report: { base } }: ValueCheck): string {
  if (name === '') return base;
  const path = name.replace(/^\./, '');
  return base === '' ? path : `${base}.${path}`;
}

/** Reports a value that breaks a rule; `why` follows `should` in the message. */
export function broken(check: ValueCheck, value: JsonValue, why: string): void {
  add(check, () => invalid(pathOf(check), value, `${check.name} in body should ${why}`));
}

/** Reports a value with another size than it may have; `newer` is its error since 1.27. */
export function oversized(check: ValueCheck, value: JsonValue, why: string, newer: (path: string) => FieldError): void {
  add(check, () =>
    check.report.hasIndexes
      ? newer(pathOf(check))
      : invalidType(pathOf(check), value, `${check.name} in body should ${why}`),
  );
}

/** The check of an item of the value, which is a list. */
export function itemOf(check: ValueCheck, index: number, old: JsonValue | undefined): ValueCheck {
  if (!check.report.hasIndexes && check.old === undefined) return check;
  return { report: check.report, name: check.report.hasIndexes ? `${check.name}[${index}]` : check.name, old };
}

/** The check of a field of the value. */
export function within(check: ValueCheck, name: string): ValueCheck {
  const { old, report } = check;
  const below = { report, name: check.name === '' ? name : `${check.name}.${name}` };
  return old === undefined ? below : { ...below, old: isJsonObject(old) ? getOwn(old, name) : undefined };
}
