import { boundedList, jsonText } from '../../status/shown-value.ts';
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
  return `{${parts.map(([name, field]) => `${name}:${quotedList(rule[field])}`).join(', ')}}`;
}

/** Formats a list of strings as messages about rights do: `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return boundedList(values, { open: '[', close: ']', separator: ' ' }, listLimit, jsonText);
}
