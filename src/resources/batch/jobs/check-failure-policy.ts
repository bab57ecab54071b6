import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '../../../gen/stored/batch-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import {
  duplicate,
  invalid,
  invalidUnshown,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../status/field-error.ts';
import { checkNotNegative, checkString } from '../../rules/fields/field-checks.ts';
import { parseIndexRanges } from './indexes.ts';

/** Maximum number of rules of a policy, and of the items of a rule. */
const limits = Object.freeze({ rules: 20, exitCodes: 255, conditions: 20, indexBytes: 64 * 1024 });

/** Checks the policy for pod failures. */
export function checkFailurePolicy(spec: FieldCursor<JobSpec>): void {
  const policy = spec.at('podFailurePolicy');
  if (!policy.isPresent()) return;
  checkRuleCount(policy, `${policy.path}.rules`, policy.value.rules ?? []);
  for (const rule of policy.each('rules')) checkFailureRule(rule, spec.value);
}

function checkRuleCount(cursor: FieldCursor<unknown>, path: string, rules: readonly unknown[]): void {
  if (rules.length > limits.rules) cursor.report(tooMany(path, rules.length, limits.rules));
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** The valid values of a field, as kube-apiserver shows them when the field is missing. */
function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function checkChoice(cursor: FieldCursor<unknown>, field: string, value: string, values: readonly string[]): void {
  if (value === '') cursor.report(required(field, validValues(values)));
  else if (!values.includes(value)) cursor.report(notSupported(field, value, values));
}

function checkFailureRule(rule: FieldCursor<PodFailurePolicyRule>, spec: JobSpec): void {
  const { action, onPodConditions = [] } = rule.value;
  if (action !== 'FailIndex') checkChoice(rule, `${rule.path}.action`, action, actions);
  else if (spec.backoffLimitPerIndex === undefined) {
    rule.at('action').reportInvalid('requires the backoffLimitPerIndex to be set');
  }
  const codes = rule.at('onExitCodes');
  if (codes.isPresent()) checkExitCodes(codes, spec);
  checkConditions(rule);
  const [hasCodes, hasConditions] = [codes.isPresent(), onPodConditions.length > 0];
  const names = 'OnExitCodes and OnPodConditions';
  if (hasCodes && hasConditions) rule.report(invalidUnshown(rule.path, `specifying both ${names} is not supported`));
  if (!hasCodes && !hasConditions) rule.report(invalidUnshown(rule.path, `specifying one of ${names} is required`));
}

function checkConditions(rule: FieldCursor<PodFailurePolicyRule>): void {
  const { onPodConditions = [] } = rule.value;
  const list = rule.at('onPodConditions');
  if (onPodConditions.length > limits.conditions) {
    list.report(tooMany(list.path, onPodConditions.length, limits.conditions));
  }
  for (const pattern of rule.each('onPodConditions')) {
    const { type, status = '' } = pattern.value;
    pattern.report(...checkString(`${pattern.path}.type`, type, validateQualifiedName));
    checkChoice(pattern, `${pattern.path}.status`, status, ['False', 'True', 'Unknown']);
  }
}

function checkExitCodes(codes: FieldCursor<PodFailurePolicyOnExitCodesRequirement>, { template }: JobSpec): void {
  const { operator, containerName } = codes.value;
  const values = codes.value.values ?? [];
  const list = `${codes.path}.values`;
  checkChoice(codes, `${codes.path}.operator`, operator, ['In', 'NotIn']);
  const containers = [...(template.spec.containers ?? []), ...(template.spec.initContainers ?? [])];
  if (containerName !== undefined && !containers.some(({ name }) => name === containerName)) {
    codes
      .at('containerName')
      .reportInvalid('must be one of the container or initContainer names in the pod template', containerName);
  }
  if (values.length === 0) codes.report(invalid(list, values, 'at least one value is required'));
  if (values.length > limits.exitCodes) codes.report(tooMany(list, values.length, limits.exitCodes));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const field = `${list}[${index}]`;
    if (operator === 'In' && value === 0) {
      codes.report(invalid(field, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) codes.report(duplicate(field, value));
    seen.add(value);
  }
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  if (!isOrdered) codes.report(invalid(list, values, 'must be ordered'));
}

/** Checks the policy that decides when an indexed Job succeeds. */
export function checkSuccessPolicy(spec: FieldCursor<JobSpec>): void {
  const policy = spec.at('successPolicy');
  if (!policy.isPresent()) return;
  if (spec.value.completionMode !== 'Indexed') return policy.reportInvalid('requires indexed completion mode');
  const path = `${policy.path}.rules`;
  const rules = policy.value.rules ?? [];
  if (rules.length === 0) {
    policy.report(required(path, 'at least one rules must be specified when the successPolicy is specified'));
  }
  checkRuleCount(policy, path, rules);
  for (const rule of policy.each('rules')) checkSuccessRule(rule, spec.value.completions ?? 0);
}

function checkSuccessRule(rule: FieldCursor<SuccessPolicyRule>, completions: number): void {
  const [count, indexes] = [rule.at('succeededCount'), rule.at('succeededIndexes')];
  if (!count.isPresent() && !indexes.isPresent()) {
    rule.reportRequired('at least one of succeededCount or succeededIndexes must be specified');
  }
  const text = indexes.value ?? '';
  if (text.length > limits.indexBytes) indexes.report(tooLong(indexes.path, limits.indexBytes));
  const parsed = parseIndexRanges(text, completions);
  if ('error' in parsed) indexes.reportInvalid(`error parsing succeededIndexes: ${parsed.error}`, text);
  if (count.value === undefined) return;
  const most = 'must be less than or equal to';
  count.report(...checkNotNegative(count.path, count.value));
  if (count.value > completions) {
    count.reportInvalid(`${most} ${completions} (the number of specified completions)`);
  }
  const total = 'error' in parsed ? 0 : parsed.count;
  if (indexes.isPresent() && count.value > total) {
    count.reportInvalid(`${most} ${total} (the number of indexes in the specified succeededIndexes field)`);
  }
}
