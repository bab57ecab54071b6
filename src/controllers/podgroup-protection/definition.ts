import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { PodGroup } from '../../gen/types/scheduling-v1alpha2.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods } from '../resources.ts';
import { untilServed } from '../until-served.ts';

/** Removes the finalizer of deleted PodGroups once their pods have ended. Admission adds it. */
export const podGroupProtection: ControllerDefinition = {
  name: 'podgroup-protection-controller',
  alias: 'podgroup-protection-controller',
  account: 'podgroup-protection-controller',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, informers, identifiers, controller } = context;
    const groups = await untilServed(context, builtInResources(identifiers.set).podgroups, [], signal);
    const members = informers.informer(pods);
    await members.synced(signal);
    const finalizer = `scheduling.${identifiers.apiDomain}/podgroup-protection`;
    await controller<PodGroup>({
      name: 'podgroupprotection',
      for: groups,
      watches: [watched(pods, groupOf)],
      async reconcile({ object, name, namespace }) {
        const { deletionTimestamp, finalizers = [] } = object?.metadata ?? {};
        if (!object || !deletionTimestamp || !finalizers.includes(finalizer)) return;
        const isUser = (pod: Pod): boolean => !hasEnded(pod) && groupOf(pod).some((group) => group.name === name);
        if (members.list({ namespace }).some(isUser)) return;
        const kept = finalizers.filter((one) => one !== finalizer);
        await client
          .resource(groups)
          .update({ ...object, metadata: { ...object.metadata, finalizers: kept } }, { signal });
      },
    }).run(signal);
  },
};

function groupOf({ metadata, spec }: Pod): readonly ObjectName[] {
  const name = spec.schedulingGroup?.podGroupName;
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
}
