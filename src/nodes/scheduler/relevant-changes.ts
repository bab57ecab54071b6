import { isDeepStrictEqual } from 'node:util';
import type { Node, Pod } from '../../controllers/resources.ts';
import { schedulerName } from './scheduler-calls.ts';

/** True if a pod was created before another. */
export function isOlder(a: Pod, b: Pod): boolean {
  return a.metadata.creationTimestamp < b.metadata.creationTimestamp;
}

/** True if this scheduler should schedule a pod, and no gate prevents it. */
export function isWaiting({ spec, metadata }: Pod): boolean {
  const isHeldBack = (spec.schedulingGates ?? []).length > 0;
  return !spec.nodeName && spec.schedulerName === schedulerName && !isHeldBack && !metadata.deletionTimestamp;
}

/** True if no field changed that influences where a waiting pod fits. */
export function isSameDemand(pod: Pod, old: Pod): boolean {
  return (
    isSameNeighbour(pod, old) &&
    isDeepStrictEqual(pod.spec, old.spec) &&
    isDeepStrictEqual(pod.status?.resourceClaimStatuses, old.status?.resourceClaimStatuses)
  );
}

/** True if no field of a bound pod changed that influences where others fit. */
export function isSameNeighbour({ metadata, spec }: Pod, old: Pod): boolean {
  return (
    spec.nodeName === old.spec.nodeName &&
    metadata.deletionTimestamp === old.metadata.deletionTimestamp &&
    isDeepStrictEqual(metadata.labels, old.metadata.labels)
  );
}

/** True if no field of a node changed that influences where pods fit. Heartbeats change none. */
export function isSameOffer({ metadata, spec, status }: Node, old: Node): boolean {
  return (
    isDeepStrictEqual([metadata.labels, spec], [old.metadata.labels, old.spec]) &&
    isDeepStrictEqual(offerIn(status), offerIn(old.status))
  );
}

function offerIn(status: Node['status']): readonly unknown[] {
  return [status?.allocatable, status?.capacity, status?.declaredFeatures];
}
