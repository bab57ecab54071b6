import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods, type ReplicaSet, type StoredMetadata } from '../resources.ts';
import type { ReplicaSetStatus } from '../../gen/types/apps-v1.ts';
import type { LabelSelector } from '../../gen/types/meta-v1.ts';
import { controllerOf, type ControllingObject } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { createPodControl, type PodControl, podFromTemplate, slowStart } from '../workloads/pod-control.ts';
import { workloadController } from '../workloads/workload-controller.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import { planReplicas } from './plan-replicas.ts';
import { nextAvailableInMs, replicaStatus } from './replica-status.ts';

/** A kind of objects that keep a number of pods. */
interface ReplicatedKind<T extends ReplicatedObject>
  extends Pick<ControllerDefinition, 'name' | 'alias' | 'account' | 'component'> {
  readonly queue: string;
  readonly concurrency: 'concurrent-replicaset-syncs' | 'concurrent-rc-syncs';
  readonly resource: ResourceReference<T>;
  readonly kind: string;
  readonly selectorOf: (object: T) => LabelSelector;
}

interface ReplicatedObject extends ApiObject {
  metadata: StoredMetadata;
  spec: Omit<ReplicaSet['spec'], 'selector'> & { selector?: unknown };
  status?: ReplicaSetStatus;
}

/** Makes a controller of ReplicaSets or ReplicationControllers. */
export function replicaController<T extends ReplicatedObject>(kind: ReplicatedKind<T>): ControllerDefinition {
  return workloadController<T, Pod>({
    ...kind,
    makes: pods,
    start(workload) {
      const { informer, made, identifiers } = workload;
      indexByController(informer);
      const control = createPodControl(workload);
      const costAnnotation = `controller.${identifiers.labelDomain}/pod-deletion-cost`;
      return (object) =>
        syncReplicas({
          replicaSet: { ...object, spec: { ...object.spec, selector: kind.selectorOf(object) } },
          claim: () => workload.claim(object),
          /** The pods of the ReplicaSets that have the same owner. */
          relatedPods() {
            const owner = controllerOf(object);
            const related = owner ? controlledBy(informer, owner.uid) : [object];
            return related.flatMap(({ metadata }) => controlledBy(made, metadata.uid));
          },
          control,
          costAnnotation,
          writeStatus: (status) => workload.writeStatus(object, status),
        });
    },
  });
}

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
async function syncReplicas(sync: ReplicaSync): Promise<{ requeueAfterMs?: number }> {
  const { replicaSet, claim, control, writeStatus } = sync;
  const present = (await claim()).map((pod) => control.present(pod));
  const { creations, deletions } = planReplicas({ ...sync, pods: present });
  const created: Pod[] = [];
  const creation = await slowStart(creations, async () => {
    created.push(await control.create(podFromTemplate(replicaSet.spec.template, replicaSet), replicaSet));
  });
  const deletion = await Promise.allSettled(deletions.map((pod) => control.delete(pod, replicaSet)));
  const deletionError = deletion.find((result) => result.status === 'rejected')?.reason;
  const error = isTerminatingNamespace(creation.error) ? undefined : (creation.error ?? deletionError);
  const now = [...present, ...created].map((pod) => control.present(pod));
  const nowMs = Date.now();
  await writeStatus(replicaStatus(replicaSet, now, nowMs, error && failureOf(error, creation.error !== undefined)));
  if (error) throw error;
  return { requeueAfterMs: nextAvailableInMs(replicaSet, now, nowMs) };
}

function failureOf(error: unknown, isCreation: boolean) {
  const message = error instanceof Error ? error.message : String(error);
  return { reason: isCreation ? ('FailedCreate' as const) : ('FailedDelete' as const), message };
}
