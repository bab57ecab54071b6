import type { PersistentVolumeClaim, Pod } from '../../gen/types/core-v1.ts';

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
export async function reconcile(
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
export function claimsOf({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
