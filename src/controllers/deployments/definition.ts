import { watched } from '../../client/controllers/watch-sources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { type Deployment, deployments, type Pod, pods, type ReplicaSet, replicaSets } from '../resources.ts';
import { type ControllingObject, controllerOf } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { rolloutNames } from './deployment-annotations.ts';
import { type DeploymentCalls, syncDeployment } from './sync-deployment.ts';

/** Rolls out the template of each Deployment through ReplicaSets. */
export const deploymentController = workloadController<Deployment, ReplicaSet>({
  name: 'deployment-controller',
  alias: 'deployment',
  account: 'deployment-controller',
  queue: 'deployment',
  resource: deployments,
  kind: 'Deployment',
  makes: replicaSets,
  selectorOf: ({ spec }) => spec.selector,
  // A Recreate waits for the end of the last pod.
  watches: (workload) => [watched<Pod>(pods, (pod) => recreatedBy(pod, workload))],
  concurrency: 'concurrent-deployment-syncs',
  start(workload) {
    const names = rolloutNames(workload.identifiers, workload.minor);
    indexByController(workload.informers.informer(pods));
    return (deployment) => syncDeployment(deployment, names, callsOf(deployment, workload));
  },
});

function recreatedBy(pod: Pod, { informer, made }: Workload<Deployment, ReplicaSet>) {
  const { namespace = '' } = pod.metadata;
  const set = made.get(controllerOf(pod)?.name ?? '', namespace);
  const name = set && controllerOf(set)?.name;
  const owner = name === undefined ? undefined : informer.get(name, namespace);
  return owner?.spec.strategy?.type === 'Recreate' ? [{ namespace, name: owner.metadata.name }] : [];
}

function callsOf(
  deployment: Deployment & ControllingObject,
  workload: Workload<Deployment, ReplicaSet>,
): DeploymentCalls {
  const { client, informers, events, signal, resource, informer, made } = workload;
  const { namespace } = deployment.metadata;
  const podInformer = informers.informer(pods);
  const sets = client.resource(replicaSets);
  const seen = async (written: Promise<ReplicaSet>): Promise<void> =>
    made.waitFor((await written).metadata.resourceVersion, signal);
  return {
    claim: () => workload.claim(deployment),
    podsOf: (uid) => controlledBy(podInformer, uid),
    readSet: (name) => sets.get(name, { namespace, signal }),
    // The server completes the metadata.
    createSet: (set) => seen(sets.create(set as ReplicaSet, { namespace, signal })),
    updateSet: (set) => seen(sets.update(set, { namespace, signal })),
    async deleteSet({ metadata }) {
      const options = { namespace, preconditions: { uid: metadata.uid }, signal };
      await ignoreReasons(sets.delete(metadata.name, options), 'NotFound', 'Conflict');
    },
    async updateDeployment(changed) {
      const { metadata } = await resource.update(changed, { namespace, signal });
      await informer.waitFor(metadata.resourceVersion, signal);
    },
    writeStatus: (status, annotations) => workload.writeStatus(deployment, status, annotations),
    record: (event) => events.record(deployment, event),
  };
}
