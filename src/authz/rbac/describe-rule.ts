import { boundedList, quotedText } from '../../status/shown-value.ts';
import type { PolicyRule } from './policy-rule.ts';

/** Maximum length of the list of one field. */
const listLimit = 8 * 1024;

const fields = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const satisfies readonly (readonly [string, keyof PolicyRule])[];

/** Formats a rule as kube-apiserver does: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts = fields.filter(([, field]) => rule[field].length > 0);
  return `{${parts.map(([name, field]) => `${name}:${goQuotedList(rule[field])}`).join(', ')}}`;
}

/** Formats a list of strings as Go's `%q` does: `["a" "b"]`. */
export function goQuotedList(values: readonly string[]): string {
  return boundedList(values, { open: '[', close: ']', separator: ' ' }, listLimit, quotedText);
}
