import type { ReconcileResult } from '../../client/controllers/controller.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import { hasEnded } from '../../kinds/core/pod.ts';

/** The calls of `reconcile`. */
interface PodCalls {
  /** The number of ended Pods that are kept; 0 for all. */
  readonly threshold: number;
  /** The Pods that have ended. */
  readonly ended: () => readonly Pod[];
  /** Time until a node counts as gone; undefined for one that exists. */
  readonly nodeGoneMs: (node: string) => Promise<number | undefined>;
  readonly remove: (pod: Pod) => Promise<void>;
}

/** Deletes a Pod that no node agent will end, or the oldest of too many ended ones. */
export async function reconcile(pod: Pod | undefined, calls: PodCalls): Promise<ReconcileResult> {
  if (!pod) return {};
  if (hasEnded(pod)) await removeOldest(calls);
  const node = pod.spec?.nodeName ?? '';
  if (node === '') {
    if (pod.metadata?.deletionTimestamp) await calls.remove(pod);
    return {};
  }
  const waitMs = await calls.nodeGoneMs(node);
  if (waitMs === undefined) return {};
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  await calls.remove(pod);
  return {};
}

async function removeOldest({ threshold, ended, remove }: PodCalls): Promise<void> {
  const pods = ended();
  const excess = threshold > 0 ? pods.length - threshold : 0;
  if (excess <= 0) return;
  const oldest = pods.toSorted((one, other) => (createdAt(one) < createdAt(other) ? -1 : 1)).slice(0, excess);
  for (const pod of oldest) await remove(pod);
}

function createdAt({ metadata }: Pod): string {
  return metadata?.creationTimestamp ?? '';
}
