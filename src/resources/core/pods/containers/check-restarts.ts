import type { Container, ContainerRestartRule, PodSpec } from '../../../../gen/stored/core-v1.ts';
import { isSidecar } from '../../../../kinds/core/pod.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../../../../status/field-error.ts';

/** Checks the restart policy and restart rules of a regular container. */
export function checkRestarts(container: FieldCursor<Container>, emulated: EmulatedRelease): void {
  if (emulated.isFeatureEnabled('ContainerRestartRules')) checkPolicyAndRules(container, emulated);
  else if (container.value.restartPolicy !== undefined) {
    container.at('restartPolicy').reportForbidden('may not be set for non-init containers');
  }
}

/** Checks the restart policy of an init container; `Always` makes it a sidecar. */
export function checkInitRestarts(container: FieldCursor<Container>, emulated: EmulatedRelease): void {
  const { restartPolicy, restartPolicyRules = [] } = container.value;
  if (restartPolicy === undefined) return;
  const policy = container.at('restartPolicy');
  if (!emulated.isFeatureEnabled('ContainerRestartRules')) {
    if (!isSidecar(container.value)) policy.report(notSupported(policy.path, restartPolicy, ['Always']));
  } else if (!isSidecar(container.value)) checkPolicyAndRules(container, emulated);
  else if (restartPolicyRules.length > 0) {
    container
      .at('restartPolicyRules')
      .reportForbidden('restartPolicyRules are not allowed for init containers with restart policy Always');
  }
}

/** Maximum number of rules of a container, and of exit codes in a rule. */
const limits = Object.freeze({ rules: 20, exitCodes: 255 });

function checkPolicyAndRules(container: FieldCursor<Container>, emulated: EmulatedRelease): void {
  const { restartPolicy, restartPolicyRules = [] } = container.value;
  const policy = container.at('restartPolicy');
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length > 0) policy.reportRequired('must specify restartPolicy when restart rules are used');
  } else if (!policies.includes(restartPolicy)) policy.report(notSupported(policy.path, restartPolicy, policies));
  const rules = container.at('restartPolicyRules');
  if (restartPolicyRules.length > limits.rules) {
    rules.report(tooMany(rules.path, restartPolicyRules.length, limits.rules));
  }
  const actions = emulated.isFeatureEnabled('RestartAllContainersOnContainerExits') ? allActions : ['Restart'];
  for (const rule of container.each('restartPolicyRules')) checkRule(rule, actions);
}

const policies = ['Always', 'Never', 'OnFailure'];
const allActions = ['Restart', 'RestartAllContainers'];
const operators = ['In', 'NotIn'];

function checkRule(rule: FieldCursor<ContainerRestartRule>, actions: readonly string[]): void {
  const { action } = rule.value;
  if (!actions.includes(action)) rule.report(notSupported(`${rule.path}.action`, action, actions));
  const codes = rule.at('exitCodes');
  if (!codes.isPresent()) return codes.reportRequired('must be specified');
  const { operator, values = [] } = codes.value;
  if (!operators.includes(operator)) codes.report(notSupported(`${codes.path}.operator`, operator, operators));
  if (values.length > limits.exitCodes) {
    codes.report(tooMany(`${codes.path}.values`, values.length, limits.exitCodes));
  }
}

const resizable = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];

/** Checks the resize policy. As in kube-apiserver most errors are at the list. */
export function checkResizePolicy(container: FieldCursor<Container>, { restartPolicy: ofPod }: PodSpec): void {
  const { path } = container.at('resizePolicy');
  const seen = new Set<string>();
  for (const item of container.each('resizePolicy')) {
    const { resourceName, restartPolicy } = item.value;
    if (seen.has(resourceName)) item.report(duplicate(item.path, resourceName));
    seen.add(resourceName);
    if (resourceName === '') item.report(required(path));
    else if (!resizable.includes(resourceName)) item.report(notSupported(path, resourceName, resizable));
    if (restartPolicy === '') item.report(required(path));
    else if (!resizePolicies.includes(restartPolicy)) item.report(notSupported(path, restartPolicy, resizePolicies));
    if (ofPod === 'Never' && restartPolicy !== 'NotRequired') {
      item.report(invalid(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
}
