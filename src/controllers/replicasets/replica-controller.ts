import type { ApiObject } from '../../client/api-object.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ControllerContext } from '../controller-definition.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import type { ReplicaSet, ReplicaStatus } from '../kinds/replica-set.ts';
import type { LabelSelector, StoredMetadata } from '../kinds/workload.ts';
import { claimObjects } from '../workloads/claim-objects.ts';
import { controllerOf } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { selectingOwners } from '../workloads/selecting-owners.ts';
import { syncReplicas } from './sync-replicas.ts';

/** A kind of objects that keep a number of pods. */
interface ReplicatedKind<T extends ReplicatedObject> {
  readonly name: string;
  readonly resource: ResourceReference<T>;
  readonly apiVersion: string;
  readonly kind: string;
  readonly selectorOf: (object: T) => LabelSelector | undefined;
}

interface ReplicatedObject extends ApiObject {
  metadata: StoredMetadata;
  spec: Omit<ReplicaSet['spec'], 'selector'> & { selector?: unknown };
  status?: ReplicaStatus;
}

/** Objects that are worked on at the same time; ReplicaSets wait for their pods. */
const concurrency = 16;

/** Runs a controller of ReplicaSets or ReplicationControllers until the signal aborts. */
export async function runReplicaController<T extends ReplicatedObject>(
  { name, resource, apiVersion, kind, selectorOf }: ReplicatedKind<T>,
  { client, informers, events, identifiers, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const objects = informers.informer(resource);
  const podInformer = informers.informer(pods);
  indexByController(podInformer);
  indexByController(objects);
  const control = createPodControl({ client, informer: podInformer, events, signal });
  const writer = client.resource(resource);

  /** The pods of the ReplicaSets that have the same owner. */
  function relatedPods(object: T): readonly Pod[] {
    const owner = controllerOf(object);
    const related = owner ? controlledBy(objects, owner.uid) : [object];
    return related.flatMap(({ metadata }) => controlledBy(podInformer, metadata.uid));
  }

  await controller<T>({
    name,
    informers,
    for: resource,
    owns: [pods],
    watches: [watched<Pod>(pods, selectingOwners(objects, selectorOf))],
    concurrency,
    metrics,
    onError,
    async reconcile({ object }) {
      if (!object) return undefined;
      const selector = selectorOf(object) ?? {};
      const replicaSet = { ...object, apiVersion, kind, spec: { ...object.spec, selector } };
      return await syncReplicas({
        replicaSet,
        claim: () =>
          claimObjects({
            owner: replicaSet,
            matches: matchLabelSelector(selector as JsonObject),
            informer: podInformer,
            resource: client.resource(pods),
            readOwner: () => writer.get(object.metadata.name, { namespace: object.metadata.namespace, signal }),
            signal,
          }),
        relatedPods: () => relatedPods(object),
        control,
        costAnnotation: `controller.${identifiers.labelDomain}/pod-deletion-cost`,
        writeStatus: (status) => writeStatus({ object, status, resource: writer, informer: objects, signal }),
      });
    },
  }).run(signal);
}
