import type { PodSpec, ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { containerAmounts, isForWholePods } from '../../../kinds/core/pod-amounts.ts';
import { formatQuantity } from '../../../meta/quantity.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { canBeOvercommitted, checkResourceName, checkResources } from '../../rules/fields/resource-amounts.ts';

/** Checks the resources at pod level. */
export function checkPodResources(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): void {
  const resources = spec.at('resources');
  if (!resources.isPresent()) return;
  if (spec.value.os?.name === 'windows') return resources.reportForbidden('may not be set for a windows pod');
  const { path } = resources;
  if (resources.value.claims) {
    const verb = isSince(emulated.release, '1.34') ? 'may not' : 'cannot';
    resources.report(forbidden(`${path}.claims`, `claims ${verb} be set for Resources at pod-level`));
  }
  const names = isSince(emulated.release, '1.34') ? ['cpu', 'hugepages-', 'memory'] : ['cpu', 'memory'];
  resources.report(...checkResources(path, resources.value, nameRuleOf(names)));
  checkSums(spec, resources);
  checkLimits(spec, resources);
}

function nameRuleOf(names: readonly string[]): (field: string, name: string) => readonly FieldError[] {
  return (field, name) =>
    allErrors(
      checkResourceName(field, name),
      names.some((known) => (known.endsWith('-') ? name.startsWith(known) : name === known))
        ? noErrors
        : [notSupported(field, name, names)],
    );
}

/**
 * Checks that the sum of container requests does not exceed the pod's, and the same for limits of
 * huge pages, which cannot be overcommitted.
 */
function checkSums(spec: FieldCursor<PodSpec>, resources: FieldCursor<ResourceRequirements>): void {
  for (const list of ['requests', 'limits'] as const) {
    for (const [name, sum] of containerAmounts(spec.value, list)) {
      if (list === 'limits' && canBeOvercommitted(name)) continue;
      const whole = amountAt(resources.value[list], name);
      if (!whole || sum.nanos <= whole.nanos) continue;
      const detail = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`;
      resources.report(invalid(`${resources.path}.${list}[${name}]`, formatQuantity(whole), detail));
    }
  }
}

/** Checks that no container limit exceeds the pod's limit. */
function checkLimits(spec: FieldCursor<PodSpec>, resources: FieldCursor<ResourceRequirements>): void {
  for (const [index, container] of (spec.value.containers ?? []).entries()) {
    for (const name of Object.keys(container.resources.limits ?? {})) {
      const [limit, whole] = [amountAt(container.resources.limits, name), amountAt(resources.value.limits, name)];
      if (!limit || !whole || limit.nanos <= whole.nanos) continue;
      const field = `${resources.path}.containers[${index}][${name}].limits`;
      const detail = `must be less than or equal to pod limits of ${formatQuantity(whole)}`;
      resources.report(invalid(field, formatQuantity(limit), detail));
    }
  }
}

/**
 * Sets the pod-level requests of a pod with pod-level resources: the sum of its containers,
 * otherwise its limit. Limits of huge pages default to the sum of containers. Mutates.
 */
export function defaultPodResources(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || isEmpty(resources.limits, resources.requests)) return;
  const limits = { ...resources.limits };
  for (const [name, amount] of containerAmounts(spec, 'limits')) {
    if (name.startsWith('hugepages-') && !resources.requests?.[name]) limits[name] ??= formatQuantity(amount);
  }
  if (isEmpty(limits)) return;
  resources.limits = limits;
  const requests = { ...resources.requests };
  for (const [name, amount] of containerAmounts(spec, 'requests')) {
    if (isForWholePods(name) && canBeOvercommitted(name)) requests[name] ??= formatQuantity(amount);
  }
  for (const [name, limit] of Object.entries(limits)) if (isForWholePods(name)) requests[name] ??= limit;
  if (!isEmpty(requests)) resources.requests = requests;
}

function isEmpty(...lists: readonly ResourceRequirements['limits'][]): boolean {
  return lists.every((list = {}) => Object.keys(list).length === 0);
}
