import { escapeHtml } from '../../json/escape-html.ts';
import type { ValidationRule } from './validation-rule.ts';

/** The fields of a rule in Go, with the minor release that added each. */
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
  /** The Go type, if the field is a pointer. */
  readonly pointer?: string;
  readonly read: (rule: ValidationRule) => string | boolean | undefined;
}

/** The first release whose errors show structs as JSON. */
const firstWithJson = 34;

/** A rule in the errors of a release. Releases before 1.34 show pointers as addresses. */
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
