import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { hasReason } from '../../client/status-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Deployment, deployments } from '../kinds/deployment.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import { type ReplicaSet, replicaSets } from '../kinds/replica-set.ts';
import { claimObjects } from '../workloads/claim-objects.ts';
import { controllerOf } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { selectingOwners } from '../workloads/selecting-owners.ts';
import { rolloutNames } from './deployment-annotations.ts';
import { type DeploymentCalls, syncDeployment } from './sync-deployment.ts';

/** Rolls out the template of each Deployment through ReplicaSets. */
export const deploymentController: ControllerDefinition = {
  name: 'deployment-controller',
  alias: 'deployment',
  account: 'deployment-controller',
  run,
};

const concurrency = 16;

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { informers, metrics, onError, identifiers } = context;
  const names = rolloutNames(identifiers);
  const informer = informers.informer(deployments);
  const sets = informers.informer(replicaSets);
  const podInformer = informers.informer(pods);
  indexByController(sets);
  indexByController(podInformer);
  await controller<Deployment>({
    name: 'deployment',
    informers,
    for: deployments,
    owns: [replicaSets],
    watches: [
      watched<ReplicaSet>(
        replicaSets,
        selectingOwners(informer, ({ spec }) => spec.selector),
      ),
      // A Recreate waits for the end of the last pod.
      watched<Pod>(pods, (pod) => {
        const { namespace = '' } = pod.metadata;
        const set = sets.get(controllerOf(pod)?.name ?? '', namespace);
        const name = set && controllerOf(set)?.name;
        const owner = name === undefined ? undefined : informer.get(name, namespace);
        return owner?.spec.strategy?.type === 'Recreate' ? [{ namespace, name: owner.metadata.name }] : [];
      }),
    ],
    concurrency,
    metrics,
    onError,
    async reconcile({ object }) {
      if (!object) return undefined;
      const deployment = { ...object, apiVersion: 'apps/v1', kind: 'Deployment' };
      return await syncDeployment(deployment, names, callsOf(deployment, context, signal));
    },
  }).run(signal);
}

function callsOf(
  deployment: Deployment & { apiVersion: string; kind: string },
  { client, informers, events }: ControllerContext,
  signal: AbortSignal,
): DeploymentCalls {
  const { name, namespace } = deployment.metadata;
  const informer = informers.informer(deployments);
  const sets = informers.informer(replicaSets);
  const podInformer = informers.informer(pods);
  const resource = client.resource(deployments);
  const setResource = client.resource(replicaSets);
  const seen = async (written: Promise<ReplicaSet>): Promise<void> =>
    sets.waitFor((await written).metadata.resourceVersion, signal);
  return {
    claim: () =>
      claimObjects({
        owner: deployment,
        matches: matchLabelSelector(deployment.spec.selector as JsonObject),
        informer: sets,
        resource: setResource,
        readOwner: () => resource.get(name, { namespace, signal }),
        signal,
      }),
    podsOf: (uid) => controlledBy(podInformer, uid),
    readSet: (setName) => setResource.get(setName, { namespace, signal }),
    // The server completes the metadata.
    createSet: (set) => seen(setResource.create(set as ReplicaSet, { namespace, signal })),
    updateSet: (set) => seen(setResource.update(set, { namespace, signal })),
    async deleteSet({ metadata }) {
      const options = { namespace, preconditions: { uid: metadata.uid }, signal };
      try {
        await setResource.delete(metadata.name, options);
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      }
    },
    async updateDeployment(changed) {
      const { metadata } = await resource.update(changed, { namespace, signal });
      await informer.waitFor(metadata.resourceVersion, signal);
    },
    writeStatus: (status, annotations) =>
      writeStatus({ object: deployment, status, annotations, resource, informer, signal }),
    record: (event) => events.record(deployment, event),
  };
}
