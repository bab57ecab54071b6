import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { Pod, PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';

/** Keeps deleted claims while Pods use them. */
export const claimProtection: ControllerDefinition = {
  name: 'persistentvolumeclaim-protection-controller',
  alias: 'pvc-protection',
  account: 'pvc-protection-controller',
  async run({ client, informers, identifiers, controller }: ControllerContext, signal): Promise<void> {
    const { persistentvolumeclaims, pods } = builtInResources(identifiers.set);
    const users = informers.informer(pods);
    await controller({
      name: 'pvcprotection',
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
    }).run(signal);
  },
};

function namesOfClaims(pod: Pod): readonly ObjectName[] {
  return claimsOf(pod).map((name) => ({ namespace: pod.metadata?.namespace ?? '', name }));
}

/** The calls of `reconcile`. */
interface ClaimCalls {
  /** The Pods of the namespace as last seen. */
  readonly known: () => readonly Pod[];
  /** The Pods of the namespace at present. */
  readonly present: () => Promise<readonly Pod[]>;
  readonly update: (claim: PersistentVolumeClaim) => Promise<unknown>;
}

/**
 * Adds the finalizer to a claim, and removes it from a deleted claim that no scheduled Pod uses. A
 * Pod that is not scheduled does not start with a deleted claim.
 */
async function reconcile(
  finalizer: string,
  claim: PersistentVolumeClaim | undefined,
  { known, present, update }: ClaimCalls,
): Promise<void> {
  if (!claim?.metadata) return;
  const { finalizers = [], deletionTimestamp, name = '' } = claim.metadata;
  const has = finalizers.includes(finalizer);
  const write = (changed: string[]) => update({ ...claim, metadata: { ...claim.metadata, finalizers: changed } });
  if (!deletionTimestamp) {
    if (!has) await write([...finalizers, finalizer]);
    return;
  }
  const isUser = (pod: Pod): boolean => Boolean(pod.spec?.nodeName) && claimsOf(pod).includes(name);
  if (!has || known().some(isUser) || (await present()).some(isUser)) return;
  await write(finalizers.filter((each) => each !== finalizer));
}

/** The names of the claims that a Pod uses. */
function claimsOf({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
