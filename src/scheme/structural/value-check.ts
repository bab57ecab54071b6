import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { type FieldError, invalid, invalidType } from '../../status/field-error.ts';

/** The place of a value, and the errors found. */
export interface ValueCheck {
  /**
   * The names of the fields that lead to the value, joined by dots; see `isDetailed` for list
   * items.
   */
  readonly name: string;
  readonly report: Report;
  /** The value before an update, at the same place; undefined if there is none. */
  readonly old?: JsonValue | undefined;
}

/** Errors of one value, at most as many as are collected. `base` is the path of the whole value. */
export interface Report {
  readonly base: string;
  /** The collected errors; undefined if it only matters whether there are any. */
  readonly errors: FieldError[] | undefined;
  isBroken: boolean;
  readonly effort: Effort;
  /**
   * True for the errors of release 1.24 and later: paths name list items, sizes have errors of
   * their own, and wrong types and formats have a reason of their own.
   */
  readonly isDetailed: boolean;
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

/** Reports a value that breaks a rule; `why` follows `should` in the message, or `verb`. */
export function broken(check: ValueCheck, value: JsonValue, why: string, verb = 'should'): void {
  add(check, () => invalid(pathOf(check), value, `${check.name} in body ${verb} ${why}`));
}

/** Reports a value of a wrong type or format. */
export function wrongType(check: ValueCheck, value: JsonValue, why: string): void {
  add(check, () => typeError(check, value, `${check.name} in body must be of type ${why}`));
}

/** The error of a wrong type; clients before 1.24 get it as an invalid value. */
function typeError(check: ValueCheck, value: JsonValue, detail: string): FieldError {
  const error = invalidType(pathOf(check), value, detail);
  return check.report.isDetailed ? error : { ...withMessage(error), sentAs: 'FieldValueInvalid' };
}

function withMessage({ reason, field, message }: FieldError): FieldError {
  return { reason, field, message };
}

/** Reports a value of a wrong size; `newer` makes the error since 1.24. */
export function oversized(check: ValueCheck, value: JsonValue, why: string, newer: (path: string) => FieldError): void {
  add(check, () =>
    check.report.isDetailed ? newer(pathOf(check)) : typeError(check, value, `${check.name} in body should ${why}`),
  );
}

/** Reports an error without a path, because it is about a number as it was parsed. */
export function unread(check: ValueCheck, what: string): void {
  const { base } = check.report;
  const path = base === '' ? '<nil>' : base;
  add(check, () => invalid(path, '', `Checked value must be of type ${what} in ${check.name}`));
}

/** The check of an item of a list. */
export function itemOf(check: ValueCheck, index: number, old: JsonValue | undefined): ValueCheck {
  const { report, name } = check;
  if (!report.isDetailed && check.old === undefined) return check;
  return { report, name: report.isDetailed ? `${name}[${index}]` : name, old };
}

/** The check of a field of the value. */
export function within(check: ValueCheck, name: string): ValueCheck {
  const { old, report } = check;
  const below = { report, name: check.name === '' ? name : `${check.name}.${name}` };
  return old === undefined ? below : { ...below, old: isJsonObject(old) ? getOwn(old, name) : undefined };
}
