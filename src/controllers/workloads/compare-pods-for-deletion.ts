import { isReady, podCondition } from '../../kinds/core/pod.ts';
import type { Pod } from '../resources.ts';

/** The rank of phases: pods that do less are deleted first. */
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * The order in which surplus pods are deleted, for `Array.sort`: pods that are not on a node, not
 * running and not ready come first, then pods of low cost, pods with more neighbours of the same
 * workload on their node, and the youngest. `neighbours` is the number of pods on a pod's node.
 */
export function comparePodsForDeletion(neighbours: (pod: Pod) => number, costAnnotation: string) {
  const ranks: readonly ((pod: Pod) => number)[] = [
    (pod) => (pod.spec.nodeName ? 1 : 0),
    (pod) => phases[pod.status?.phase ?? ''] ?? 0,
    (pod) => (isReady(pod) ? 1 : 0),
    (pod) => deletionCost(pod, costAnnotation),
    (pod) => -neighbours(pod),
    (pod) => -readySince(pod),
    (pod) => -restarts(pod),
    (pod) => -Date.parse(pod.metadata.creationTimestamp),
  ];
  return (a: Pod, b: Pod): number => {
    for (const rank of ranks) {
      const difference = rank(a) - rank(b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function deletionCost({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? '';
  return /^-?[0-9]{1,10}$/.test(text) ? Number(text) : 0;
}

/** A pod without the time became ready first. */
function readySince(pod: Pod): number {
  const condition = podCondition(pod, 'Ready');
  return condition?.status === 'True' && condition.lastTransitionTime ? Date.parse(condition.lastTransitionTime) : 0;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
