import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { OwnerReference } from '../../gen/types/meta-v1.ts';
import { type Pod, type StatefulSet, volumeClaims } from '../resources.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import type { Workload } from '../workloads/workload-controller.ts';
import { claimsOf, ordinalOf, wantsOrdinal } from './set-pod.ts';

type ControllingSet = StatefulSet & ControllingObject;

/**
 * Sets the owners of the pods' claims by the retention policy of their set, so that claims are
 * deleted with the set or with a pod that is scaled down.
 */
export async function keepClaims(
  workload: Workload<StatefulSet, Pod>,
  set: ControllingSet,
  owned: readonly Pod[],
): Promise<void> {
  if (!isDue(set)) return;
  for (const pod of owned) {
    const ordinal = ordinalOf(pod, set);
    if (ordinal === undefined) continue;
    const owners = ownersOf(set, pod, wantsOrdinal(set, ordinal));
    for (const { claim } of claimsOf(set, ordinal)) {
      await setOwners(workload, set, claim.metadata?.name ?? '', [pod.metadata.uid, set.metadata.uid], owners);
    }
  }
}

/**
 * True if owners may have to change. A policy without Delete only has an effect after it was
 * changed.
 */
function isDue({ metadata, spec, status }: StatefulSet): boolean {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  const changed = status?.observedGeneration !== undefined && metadata.generation !== status.observedGeneration;
  const deletes = [whenDeleted, whenScaled].includes('Delete');
  return deletes || (changed && spec.persistentVolumeClaimRetentionPolicy !== undefined);
}

function ownersOf(set: ControllingSet, { metadata }: Pod, isWanted: boolean): readonly OwnerReference[] {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && !isWanted) {
    return [{ apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid }];
  }
  if (whenDeleted !== 'Delete') return [];
  const { name, uid } = set.metadata;
  return [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid }];
}

/** Replaces the owners of a claim with certain UIDs. */
async function setOwners(
  { client, signal }: Workload<StatefulSet, Pod>,
  set: ControllingSet,
  name: string,
  uids: readonly string[],
  owners: readonly OwnerReference[],
): Promise<void> {
  const resource = client.resource(volumeClaims);
  const at = { namespace: set.metadata.namespace, signal };
  try {
    const claim = await resource.get(name, at);
    const current = claim.metadata?.ownerReferences ?? [];
    const ours = current.filter(({ uid }) => uids.includes(uid));
    const isSame = ours.length === owners.length && owners.every(({ uid }) => ours.some((each) => each.uid === uid));
    if (isSame) return;
    const others = current.filter(({ uid }) => !uids.includes(uid));
    await resource.update({ ...claim, metadata: { ...claim.metadata, ownerReferences: [...others, ...owners] } }, at);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** True if a pod's claim is being deleted together with a scaled-down pod of the same name. */
export async function isClaimStale(
  { client, signal }: Workload<StatefulSet, Pod>,
  set: ControllingSet,
  ordinal: number,
): Promise<boolean> {
  if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
  const pod = `${set.metadata.name}-${ordinal}`;
  for (const { claim } of claimsOf(set, ordinal)) {
    const at = { namespace: set.metadata.namespace, signal };
    const read = client.resource(volumeClaims).get(claim.metadata?.name ?? '', at);
    const { deletionTimestamp, ownerReferences = [] } = (await ignoreReasons(read, 'NotFound'))?.metadata ?? {};
    if (deletionTimestamp || ownerReferences.some(({ kind, name }) => kind === 'Pod' && name === pod)) return true;
  }
  return false;
}
