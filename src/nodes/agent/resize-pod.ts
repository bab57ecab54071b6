import type { Container, ContainerStatus, PodCondition } from '../../gen/types/core-v1.ts';
import type { Node, Pod } from '../../controllers/resources.ts';
import { hasEnded, isSidecar } from '../../kinds/core/pod.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { addTo, type Amounts, amountsOf, requestsOf } from '../scheduler/pod-requests.ts';

/** The condition of a pod that its node cannot resize yet, or at all. */
export const resizePending = 'PodResizePending';

/** The condition of a pod whose resize the node has accepted but not carried out. */
export const resizeInProgress = 'PodResizeInProgress';

type PendingResize = Pick<PodCondition, 'status' | 'reason' | 'message'>;

/**
 * The reason why a node cannot resize a pod to its requested amounts; undefined if it can. `others`
 * are the pods on the node.
 */
export function pendingResize(pod: Pod, node: Node | undefined, others: readonly Pod[]): PendingResize | undefined {
  if (!isResized(pod)) return undefined;
  const room = amountsOf(node?.status?.allocatable);
  // Without the amounts that the pod has now, which it gives up.
  const wanted = requestsOf({ ...pod, status: {} });
  const tooMuch = excessOf(wanted, room);
  if (tooMuch !== undefined) {
    const amounts = `requested: ${unitsOf(tooMuch, wanted)}, capacity: ${unitsOf(tooMuch, room)}`;
    return pending('Infeasible', `Node didn't have enough capacity: ${tooMuch}, ${amounts}`);
  }
  const total: Record<string, number> = { ...wanted };
  const { uid } = pod.metadata;
  for (const other of others) {
    if (other.metadata.uid !== uid && !hasEnded(other)) addTo(total, requestsOf(other));
  }
  const scarce = excessOf(total, room);
  return scarce === undefined ? undefined : pending('Deferred', `Node didn't have enough resource: ${scarce}`);
}

function pending(reason: string, message: string): PendingResize {
  return { status: 'True', reason, message };
}

function excessOf(amounts: Amounts, room: Amounts): string | undefined {
  return ['cpu', 'memory'].find((name) => (amounts[name] ?? 0) > (room[name] ?? Number.POSITIVE_INFINITY));
}

/** The amount in messages: CPU in thousandths, others in whole units. */
function unitsOf(name: string, amounts: Amounts): number {
  const amount = amounts[name] ?? 0;
  return name === 'cpu' ? amount : amount / 1000;
}

/** True if a running pod requests other amounts than its node has allocated. */
export function isResized({ metadata, spec, status }: Pod): boolean {
  if (metadata.generation === undefined) return false;
  const ofPod = status?.resources;
  if (spec.resources && ofPod && !hasAmounts(spec, { resources: ofPod })) return true;
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)].some((container) => {
    const before = statuses.find(({ name }) => name === container.name);
    return before?.resources !== undefined && !hasAmounts(container, before);
  });
}

/**
 * The steps of a resize: it waits for room, then amounts are allocated, then containers get them. A
 * pod that is not resized is in the last step.
 */
export type ResizeStep = 'pending' | 'promised' | 'given';

/** The next step of a pod. A resize is in progress between allocation and the last step. */
export function resizeStep(pod: Pod, isPending: boolean): ResizeStep {
  if (isPending) return 'pending';
  if (!isResized(pod)) return 'given';
  const { generation } = pod.metadata;
  const hasBegun = (pod.status?.conditions ?? []).some(
    ({ type, observedGeneration = generation }) => type === resizeInProgress && observedGeneration === generation,
  );
  return hasBegun ? 'given' : 'promised';
}

/** The amounts in the status of a container, or of a whole pod, in a step of a resize. */
export function resourcesIn(step: ResizeStep, of: Sized, before: GivenResources | undefined): GivenResources {
  const given = givenResources(of);
  if (step === 'given' || !before?.resources) return given;
  const { allocatedResources } = step === 'promised' ? given : before;
  return { resources: before.resources, ...(allocatedResources ? { allocatedResources } : {}) };
}

/** The resources that a status reports, and those that are allocated. */
type GivenResources = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/** A container, or the spec of a pod. */
type Sized = Pick<Container, 'resources'>;

/** The requested amounts of a container, in the form of its status. */
function givenResources({ resources = {} }: Sized): GivenResources {
  const { limits, requests } = resources;
  return {
    resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
    ...(requests ? { allocatedResources: requests } : {}),
  };
}

function hasAmounts(container: Sized, before: GivenResources): boolean {
  return sameValue(givenResources(container).resources as JsonValue, before.resources as JsonValue);
}

/** True if a resize restarts the container. */
export function restartsToResize(container: Container, before: ContainerStatus | undefined): boolean {
  if (!before?.resources || !before.state?.running || hasAmounts(container, before)) return false;
  const { resources = {}, resizePolicy = [] } = container;
  return resizePolicy.some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === 'RestartContainer' &&
      amountsOfOne(resources, resourceName) !== amountsOfOne(before.resources ?? {}, resourceName),
  );
}

function amountsOfOne({ limits, requests }: NonNullable<Container['resources']>, name: string): string {
  return JSON.stringify([limits?.[name], requests?.[name]]);
}
