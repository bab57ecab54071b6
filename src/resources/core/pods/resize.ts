import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { isSidecar } from '../../../kinds/core/pod.ts';
import { setMeta, getMeta, type MetadataField } from '../../../meta/object-meta.ts';
import type { StrategyContext, SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { isMirrorPod } from './annotations.ts';
import { qualityOfService } from './quality-of-service.ts';
import { validatePod } from './validate.ts';

/**
 * The `resize` sub-resource: changes CPU and memory of containers. Nodes apply the change. All
 * other fields are kept.
 */
export const resize: SubresourceStrategy<Pod> = {
  prepareForUpdate: keepAllButAmounts,
  validateUpdate: validateResize,
};

/** The identity of the pod: the only metadata fields of the written object that are used. */
const identity: readonly MetadataField[] = ['name', 'namespace', 'uid', 'resourceVersion', 'generation'];
const lists = ['containers', 'initContainers'] as const;

/**
 * Keeps all fields except resources. Mutates. If the containers differ, the pod is left unchanged,
 * and validation refuses it.
 */
function keepAllButAmounts(pod: Pod, old: Pod, { emulated }: StrategyContext): void {
  if (lists.some((list) => !haveSameNames(pod.spec[list], old.spec[list]))) return;
  const kept = structuredClone(old);
  for (const field of identity) setMeta(kept, field, getMeta(pod, field));
  for (const list of lists) {
    for (const [index, container] of (kept.spec[list] ?? []).entries()) {
      const written = pod.spec[list]?.[index];
      container.resources = written?.resources ?? {};
      if (written?.resizePolicy) container.resizePolicy = written.resizePolicy;
      else delete container.resizePolicy;
    }
  }
  if (resizesWholePods(emulated)) setResources(kept.spec, pod.spec.resources);
  Object.assign(pod, kept);
}

function setResources(spec: PodSpec, resources: ResourceRequirements | undefined): void {
  if (resources) spec.resources = resources;
  else delete spec.resources;
}

/** True if pod-level resources can be resized. */
function resizesWholePods({ isFeatureEnabled }: EmulatedRelease): boolean {
  return isFeatureEnabled('PodLevelResources') && isFeatureEnabled('InPlacePodLevelResourcesVerticalScaling');
}

type Containers = readonly Container[] | null | undefined;

function haveSameNames(now: Containers, before: Containers): boolean {
  const names = (list: Containers): readonly string[] => (list ?? []).map(({ name }) => name);
  return names(now).join() === names(before).join();
}

function validateResize(pod: Pod, old: Pod, context: StrategyContext): readonly FieldError[] {
  const refusal = refusalOf(pod, old, context);
  // kube-apiserver reports only this error, without a field.
  if (refusal !== undefined) return [forbidden('', refusal)];
  const errors = validatePod(pod, context, old);
  const spec = new FieldCursor(pod).at('spec');
  if (qualityOfService(pod.spec) !== (old.status.qosClass ?? qualityOfService(old.spec))) {
    spec.reportInvalid('Pod QOS Class may not change as a result of resizing', pod.status.qosClass);
  }
  if (!canBeResized(old)) spec.reportForbidden('Pod running on node without support for resize');
  checkOrder(spec, old.spec);
  if (lists.every((list) => haveSameNames(pod.spec[list], old.spec[list]))) checkAmounts(spec, old.spec, context);
  return [...errors, ...spec.errors];
}

/** The reason why a pod can never be resized; undefined if it can. */
function refusalOf(pod: Pod, old: Pod, { emulated }: StrategyContext): string | undefined {
  if (!resizesWholePods(emulated) && [pod, old].some(({ spec }) => statesAmounts(spec))) {
    return 'pods with pod-level resources cannot be resized';
  }
  if (isMirrorPod(old)) return 'static pods cannot be resized';
  return old.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function statesAmounts({ resources }: PodSpec): boolean {
  return [resources?.requests, resources?.limits].some((list = {}) => Object.keys(list).length > 0);
}

/** True if the node reports resources of running containers, so that it supports resizes. */
function canBeResized({ status }: Pod): boolean {
  const running = (status.containerStatuses ?? []).find(({ state }) => state.running);
  return running === undefined || running.resources !== undefined;
}

/** Checks that containers were not added, removed, renamed or reordered. */
function checkOrder(spec: FieldCursor<PodSpec>, old: PodSpec): void {
  for (const list of lists) {
    const before = old[list] ?? [];
    if ((spec.value[list] ?? []).length !== before.length) {
      spec.at(list).reportForbidden(`${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, container] of [...spec.each(list)].entries()) {
      const name = container.at('name');
      if (name.value !== before[index]?.name) {
        name.reportForbidden(`${list} may not be renamed or reordered on resize`);
      }
    }
  }
}

/** Checks that only CPU and memory change, and that none of them is removed. */
function checkAmounts(spec: FieldCursor<PodSpec>, old: PodSpec, { emulated }: StrategyContext): void {
  for (const list of lists) {
    for (const [index, container] of [...spec.each(list)].entries()) {
      const before = old[list]?.[index];
      if (!before) continue;
      const isResizable = list === 'containers' || isSidecar(before);
      if (isResizable) checkChange(container, before, emulated);
      if (!sameContainer(isResizable ? withAmountsOf(container.value, before) : container.value, before)) {
        spec.reportForbidden(list === 'containers' ? onlyCompute : isResizable ? onlyOfSidecars : notOfInit);
      }
    }
  }
}

const onlyCompute = 'only cpu and memory resources are mutable';
const onlyOfSidecars = 'only cpu and memory resources for sidecar containers are mutable';
const notOfInit = 'resources for non-sidecar init containers are immutable';
const sameContainer = sameMessage('api.core.v1.Container');
const amountLists = ['requests', 'limits'] as const;

function checkChange(container: FieldCursor<Container>, before: Container, emulated: EmulatedRelease): void {
  const resources = container.at('resources');
  for (const list of amountLists) {
    const [now, then] = [resources.value[list] ?? {}, before.resources[list] ?? {}];
    if (Object.keys(then).some((name) => !Object.hasOwn(now, name))) {
      resources.report(forbidden(`${resources.path}.${list}`, `resource ${list} cannot be removed`));
    }
  }
  if (!isSince(emulated.release, '1.34')) checkMemoryLimit(container, before);
}

/** Checks that a memory limit is not lowered in place, which nodes support since release 1.34. */
function checkMemoryLimit(container: FieldCursor<Container>, before: Container): void {
  const policy = (container.value.resizePolicy ?? []).find(({ resourceName }) => resourceName === 'memory');
  if (policy?.restartPolicy === 'RestartContainer') return;
  const [now, then] = [container.value, before].map(({ resources }) => amountAt(resources.limits, 'memory'));
  if (!now || (then && now.nanos >= then.nanos)) return;
  const what = then ? 'decreased' : 'added';
  const field = `${container.path}.resources.limits[memory]`;
  container.report(forbidden(field, `memory limits cannot be ${what} unless resizePolicy is RestartContainer`));
}

/** The container with its previous CPU and memory. */
function withAmountsOf(container: Container, before: Container): Container {
  const resources: ResourceRequirements = { ...container.resources };
  for (const list of amountLists) {
    const amounts = { ...resources[list] };
    const then = before.resources[list];
    for (const name of ['cpu', 'memory']) {
      const amount = then?.[name];
      if (amount === undefined) delete amounts[name];
      else amounts[name] = amount;
    }
    if (then) resources[list] = amounts;
    else delete resources[list];
  }
  return { ...container, resources, ...policyOf(before) };
}

function policyOf({ resizePolicy }: Container): Pick<Container, 'resizePolicy'> {
  return resizePolicy ? { resizePolicy } : {};
}
