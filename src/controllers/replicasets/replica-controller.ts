import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods, type ReplicaSet, type StoredMetadata } from '../resources.ts';
import type { ReplicaSetStatus } from '../../gen/types/apps-v1.ts';
import type { LabelSelector } from '../../gen/types/meta-v1.ts';
import { controllerOf } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { workloadController } from '../workloads/workload-controller.ts';
import { syncReplicas } from './sync-replicas.ts';

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
