import type { Pod, ReplicaSet } from '../resources.ts';
import type { ReplicaSetStatus } from '../../gen/types/apps-v1.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { isTerminatingNamespace } from '../workloads/is-terminating-namespace.ts';
import type { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { slowStart } from '../workloads/slow-start.ts';
import { planReplicas } from './plan-replicas.ts';
import { nextAvailableInMs, replicaStatus } from './replica-status.ts';

/** A ReplicaSet, its pods, and the calls that change them. */
interface ReplicaSync {
  readonly replicaSet: ReplicaSet & ControllingObject;
  readonly claim: () => Promise<readonly Pod[]>;
  readonly relatedPods: () => readonly Pod[];
  readonly control: PodControl;
  readonly costAnnotation: string;
  readonly writeStatus: (status: ReplicaSetStatus) => Promise<void>;
}

/** Brings a ReplicaSet to its number of pods, and writes its status. */
export async function syncReplicas(sync: ReplicaSync): Promise<{ requeueAfterMs?: number }> {
  const { replicaSet, claim, control, writeStatus } = sync;
  const pods = (await claim()).map((pod) => control.present(pod));
  const { creations, deletions } = planReplicas({ ...sync, pods });
  const created: Pod[] = [];
  const creation = await slowStart(creations, async () => {
    created.push(await control.create(podFromTemplate(replicaSet.spec.template, replicaSet), replicaSet));
  });
  const deletion = await Promise.allSettled(deletions.map((pod) => control.delete(pod, replicaSet)));
  const deletionError = deletion.find((result) => result.status === 'rejected')?.reason;
  const error = isTerminatingNamespace(creation.error) ? undefined : (creation.error ?? deletionError);
  const now = [...pods, ...created].map((pod) => control.present(pod));
  const nowMs = Date.now();
  await writeStatus(replicaStatus(replicaSet, now, nowMs, error && failureOf(error, creation.error !== undefined)));
  if (error) throw error;
  return { requeueAfterMs: nextAvailableInMs(replicaSet, now, nowMs) };
}

function failureOf(error: unknown, isCreation: boolean) {
  const message = error instanceof Error ? error.message : String(error);
  return { reason: isCreation ? ('FailedCreate' as const) : ('FailedDelete' as const), message };
}
