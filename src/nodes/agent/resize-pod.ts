import type { Container, ContainerStatus, PodCondition } from '../../gen/types/core-v1.ts';
import type { Node, Pod } from '../../controllers/resources.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { addTo, type Amounts, amountsOf, requestsOf } from '../scheduler/pod-requests.ts';

/** The condition of a pod that its node cannot resize now, or at all. */
export const resizePending = 'PodResizePending';

type PendingResize = Pick<PodCondition, 'status' | 'reason' | 'message'>;

/**
 * The reason why a node cannot give a pod the amounts that it asks for; undefined if it can. The
 * other pods are those of the node.
 */
export function pendingResize(pod: Pod, node: Node | undefined, others: readonly Pod[]): PendingResize | undefined {
  if (!isResized(pod)) return undefined;
  const room = amountsOf(node?.status?.allocatable);
  // The amounts that it has now are given back.
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

/** CPU is counted in thousandths. */
function unitsOf(name: string, amounts: Amounts): number {
  const amount = amounts[name] ?? 0;
  return name === 'cpu' ? amount : amount / 1000;
}

/** True if a running pod asks for other amounts than its node has given to it. */
export function isResized({ metadata, spec, status }: Pod): boolean {
  if (metadata.generation === undefined) return false;
  return (spec.containers ?? []).some((container) => {
    const before = status?.containerStatuses?.find(({ name }) => name === container.name);
    return before?.resources !== undefined && !hasAmounts(container, before);
  });
}

/** The resources that a status reports of a container, and those given to it. */
type GivenResources = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/** The amounts that a container asks for, as its node reports them. */
export function givenResources({ resources = {} }: Container): GivenResources {
  const { limits, requests } = resources;
  return {
    resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
    ...(requests ? { allocatedResources: requests } : {}),
  };
}

function hasAmounts(container: Container, before: GivenResources): boolean {
  return sameValue(givenResources(container).resources as JsonValue, before.resources as JsonValue);
}

/** True if a container is restarted to give it what it asks for. */
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
