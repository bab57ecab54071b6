import { escapeHtml } from '../../json/escape-html.ts';
import type { ValidationRule } from './validation-rule.ts';

/** The fields of a rule in Go, and the release that added them by its minor number. */
const fields = Object.freeze([
  { name: 'Rule', since: 0, read: ({ rule }) => rule },
  { name: 'Message', since: 0, read: ({ message }) => message },
  { name: 'MessageExpression', since: 27, read: ({ messageExpression }) => messageExpression },
  { name: 'Reason', since: 28, pointer: 'apiextensions.FieldValueErrorReason', read: ({ reason }) => reason },
  { name: 'FieldPath', since: 28, read: ({ fieldPath }) => fieldPath },
  { name: 'OptionalOldSelf', since: 29, pointer: 'bool', read: ({ optionalOldSelf }) => optionalOldSelf },
] as const satisfies readonly RuleField[]);

interface RuleField {
  readonly name: string;
  readonly since: number;
  /** The type that it points to. */
  readonly pointer?: string;
  readonly read: (rule: ValidationRule) => string | boolean | undefined;
}

/** The release whose errors show structs as JSON. */
const firstWithJson = 34;

/** A rule as the errors of a release show it; pointers that are set are addresses in older ones. */
export function ruleInGo(rule: ValidationRule, release: number): string {
  const known: readonly RuleField[] = fields.filter(({ since }) => since <= release);
  if (release >= firstWithJson) return escapeHtml(`{${known.map((field) => jsonField(field, rule)).join(',')}}`);
  return `apiextensions.ValidationRule{${known.map((field) => goField(field, rule)).join(', ')}}`;
}

function jsonField({ name, read }: RuleField, rule: ValidationRule): string {
  return `"${name}":${JSON.stringify(read(rule) ?? null)}`;
}

function goField({ name, pointer, read }: RuleField, rule: ValidationRule): string {
  const value = read(rule);
  if (pointer === undefined) return `${name}:${JSON.stringify(value)}`;
  return `${name}:(*${pointer})(${value === undefined ? 'nil' : '0xc000000000'})`;
}
