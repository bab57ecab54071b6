import { builtInResources } from '../../client/built-in-resources.ts';
import { controller } from '../../client/controllers/controller.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { claimsOf, reconcile } from './reconcile.ts';

/** Keeps deleted claims while Pods use them. */
export const claimProtection: ControllerDefinition = {
  name: 'persistentvolumeclaim-protection-controller',
  alias: 'pvc-protection',
  account: 'pvc-protection-controller',
  async run({ client, informers, identifiers, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { persistentvolumeclaims, pods } = builtInResources(identifiers.set);
    const users = informers.informer(pods);
    await controller({
      name: 'pvcprotection',
      informers,
      for: persistentvolumeclaims,
      watches: [watched(pods, namesOfClaims)],
      reconcile: ({ object, namespace }) =>
        reconcile(`${identifiers.labelDomain}/pvc-protection`, object, {
          known: () => users.list({ namespace }),
          async present() {
            const found: Pod[] = [];
            for await (const { items } of client.resource(pods).pages({ namespace, signal })) found.push(...items);
            return found;
          },
          update: (claim) => client.resource(persistentvolumeclaims).update(claim, { signal }),
        }),
      onError,
      metrics,
    }).run(signal);
  },
};

function namesOfClaims(pod: Pod): readonly ObjectName[] {
  return claimsOf(pod).map((name) => ({ namespace: pod.metadata?.namespace ?? '', name }));
}
