import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { ResourceClaimConsumerReference } from '../../gen/types/resource-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import { claimFinalizer } from '../../kinds/resource/claim-finalizer.ts';
import type { Pod, ResourceClaim } from '../resources.ts';

/** The reads and writes of the reconcile of a claim. */
interface KeepCalls {
  readonly identifiers: Identifiers;
  /** Returns a pod from the informer, and from the server. */
  readonly known: (name: string) => Pod | undefined;
  readonly present: (name: string) => Promise<Pod>;
  readonly update: (claim: ResourceClaim) => Promise<ResourceClaim>;
  readonly updateStatus: (claim: ResourceClaim) => Promise<ResourceClaim>;
  readonly remove: (claim: { readonly name: string; readonly uid: string }) => Promise<unknown>;
}

/**
 * Removes the reservations of pods that have ended or are deleted. A claim without users is
 * deallocated; if it was created for a pod that has ended, it is deleted.
 */
export async function keepClaim(claim: ResourceClaim | undefined, calls: KeepCalls): Promise<void> {
  if (!claim) return;
  const { reservedFor = [], allocation } = claim.status ?? {};
  const kept: ResourceClaimConsumerReference[] = [];
  for (const user of reservedFor) if (await isInUse(user, calls)) kept.push(user);
  const isFreed = kept.length === 0 && allocation !== undefined;
  const isDeleted = claim.metadata.deletionTimestamp !== undefined;
  let current = claim;
  if (kept.length < reservedFor.length || (isFreed && isDeleted)) {
    const { allocation: held, reservedFor: _old, ...rest } = claim.status ?? {};
    const status = isFreed ? rest : { ...rest, ...(held ? { allocation: held } : {}), reservedFor: kept };
    current = await calls.updateStatus({ ...claim, status });
  }
  if (kept.length > 0) return;
  if (!current.status?.allocation) await withoutFinalizer(current, calls);
  await removeOwned(current, calls);
}

/**
 * True if the user of a claim may still use it. Users other than pods are managed by their own
 * controllers.
 */
async function isInUse(user: ResourceClaimConsumerReference, calls: KeepCalls): Promise<boolean> {
  if (user.resource !== 'pods' || (user.apiGroup ?? '') !== '') return true;
  const pod = await findPod(user.name, user.uid, calls);
  return pod !== undefined && !hasEnded(pod);
}

/** The pod with a UID. It is read from the server if the informer does not have it. */
async function findPod(name: string, uid: string, { known, present }: KeepCalls): Promise<Pod | undefined> {
  const seen = known(name);
  if (seen?.metadata.uid === uid) return seen;
  try {
    const pod = await present(name);
    return pod.metadata.uid === uid ? pod : undefined;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function withoutFinalizer(claim: ResourceClaim, { identifiers, update }: KeepCalls): Promise<void> {
  const { finalizers = [] } = claim.metadata;
  const name = claimFinalizer(identifiers);
  if (!finalizers.includes(name)) return;
  const metadata = { ...claim.metadata, finalizers: finalizers.filter((one) => one !== name) };
  await ignoreReasons(update({ ...claim, metadata }), 'NotFound');
}

/** Deletes a claim whose owner is a pod that has ended or is deleted. */
async function removeOwned(claim: ResourceClaim, calls: KeepCalls): Promise<void> {
  const { name, uid, ownerReferences = [], deletionTimestamp } = claim.metadata;
  const owner = ownerReferences.find(({ kind, controller }) => kind === 'Pod' && controller);
  if (!owner || deletionTimestamp !== undefined) return;
  const pod = await findPod(owner.name, owner.uid, calls);
  if (pod && !hasEnded(pod)) return;
  await ignoreReasons(calls.remove({ name, uid }), 'NotFound', 'Conflict');
}
