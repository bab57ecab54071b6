import { hasEnded } from '../../kinds/core/pod.ts';
import type { Job, Pod } from '../resources.ts';

/** True if a pod has the finalizer. */
export function isHeld({ metadata }: Pod, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * True if a pod counts as ended: it has ended, or it is being deleted and the Job does not wait for
 * its end.
 */
export function isOver(pod: Pod, job: Job): boolean {
  if (hasEnded(pod)) return true;
  return pod.metadata.deletionTimestamp !== undefined && !(awaitsEnd(job) && isTerminating(pod));
}

/** True if a Job replaces a pod only when it has ended, and not when its deletion begins. */
export function awaitsEnd({ spec }: Job): boolean {
  return spec.podFailurePolicy !== undefined || spec.podReplacementPolicy === 'Failed';
}

/** True if a pod is being deleted while its containers may still run. */
export function isTerminating(pod: Pod): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds !== 0 && !hasEnded(pod);
}

/** True if each pod of a Job has an index. */
export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed';
}

/** The index of a pod; Infinity without one. */
export function indexOf({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? '';
  return /^[0-9]+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
