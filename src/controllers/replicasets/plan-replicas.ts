import { isActive } from '../../kinds/core/pod.ts';
import type { Pod, ReplicaSet } from '../resources.ts';
import { comparePodsForDeletion } from '../workloads/compare-pods-for-deletion.ts';

/** The pods that one call creates or deletes at most; the next call continues. */
const burstReplicas = 500;

/** The work that brings a ReplicaSet to its number of pods. */
interface ReplicaPlan {
  readonly creations: number;
  readonly deletions: readonly Pod[];
}

/** The state that a plan depends on. */
interface ReplicaState {
  readonly replicaSet: ReplicaSet;
  /** The pods that the ReplicaSet controls. */
  readonly pods: readonly Pod[];
  /** The pods of all ReplicaSets of its owner, itself included; they rank the pods by node. */
  readonly relatedPods: () => readonly Pod[];
  readonly costAnnotation: string;
}

/** Plans the creation of missing pods or the deletion of surplus ones. */
export function planReplicas({ replicaSet, pods, relatedPods, costAnnotation }: ReplicaState): ReplicaPlan {
  if (replicaSet.metadata.deletionTimestamp) return { creations: 0, deletions: [] };
  const active = pods.filter(isActive);
  const surplus = active.length - (replicaSet.spec.replicas ?? 1);
  if (surplus <= 0) return { creations: Math.min(-surplus, burstReplicas), deletions: [] };
  const perNode = countByNode(relatedPods().filter(isActive));
  const byRank = comparePodsForDeletion((pod) => perNode.get(pod.spec.nodeName ?? '') ?? 0, costAnnotation);
  // Without one that is kept the order does not matter.
  const ranked = surplus < active.length ? active.toSorted(byRank) : active;
  return { creations: 0, deletions: ranked.slice(0, Math.min(surplus, burstReplicas)) };
}

function countByNode(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { spec } of pods) counts.set(spec.nodeName ?? '', (counts.get(spec.nodeName ?? '') ?? 0) + 1);
  return counts;
}
