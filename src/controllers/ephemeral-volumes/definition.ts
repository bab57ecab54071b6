import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { PersistentVolumeClaim, Volume } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods } from '../resources.ts';

/** Creates the PersistentVolumeClaims of ephemeral volumes, which are owned by their pod. */
export const ephemeralVolumes: ControllerDefinition = {
  name: 'ephemeral-volume-controller',
  alias: 'ephemeral-volume',
  account: 'ephemeral-volume-controller',
  component: 'ephemeral_volume',
  async run({ client, informers, identifiers, options, events, controller }: ControllerContext, signal): Promise<void> {
    const { persistentvolumeclaims } = builtInResources(identifiers.set);
    const claims = informers.informer(persistentvolumeclaims);
    await claims.synced(signal);
    await controller<Pod>({
      name: 'ephemeral_volume',
      concurrency: options['concurrent-ephemeralvolume-syncs'],
      for: pods,
      // A deleted claim is created again.
      watches: [watched(persistentvolumeclaims, ownersOf)],
      async reconcile({ object: pod, namespace }) {
        if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
        for (const volume of pod.spec.volumes ?? []) {
          const claim = claimOf(pod, volume);
          if (!claim) continue;
          try {
            const present = claims.get(claim.metadata?.name ?? '', namespace);
            if (!present) await client.resource(persistentvolumeclaims).create(claim, { namespace, signal });
            else if (!isOf(present, pod))
              throw new Error(`PVC ${namespace}/${present.metadata?.name} was not created for pod`);
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            const message = `ephemeral volume ${volume.name}: ${why}`;
            events.record(pod, { type: 'Warning', reason: 'FailedBinding', message });
            throw error;
          }
        }
      },
    }).run(signal);
  },
};

function ownersOf({ metadata }: PersistentVolumeClaim): readonly ObjectName[] {
  return (metadata?.ownerReferences ?? [])
    .filter(({ kind }) => kind === 'Pod')
    .map(({ name }) => ({ namespace: metadata?.namespace ?? '', name }));
}

function isOf({ metadata }: PersistentVolumeClaim, pod: Pod): boolean {
  return (metadata?.ownerReferences ?? []).some(({ uid, controller }) => controller && uid === pod.metadata.uid);
}

/** The claim for an ephemeral volume of a pod; undefined for other volumes. */
function claimOf({ metadata: { name, uid } }: Pod, volume: Volume): PersistentVolumeClaim | undefined {
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (!template) return undefined;
  const { labels, annotations } = template.metadata ?? {};
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    metadata: {
      name: `${name}-${volume.name}`,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ownerReferences: [owner],
    },
    spec: template.spec,
  };
}
