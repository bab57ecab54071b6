import type { Pod, ResourceClaim } from '../../../controllers/resources.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ExtendedRequests } from './extended-resources.ts';

/** The annotation of claims for the extended resources of a pod. */
function extendedKey({ labelDomain }: Identifiers): string {
  return `resource.${labelDomain}/extended-resource-claim`;
}

/** The claim for the extended resources of a pod. It has no name before it is created. */
export function extendedClaim(
  { metadata: { name, namespace, uid } }: Pod,
  { requests }: ExtendedRequests,
  identifiers: Identifiers,
): ResourceClaim {
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true };
  const metadata = {
    generateName: `${name}-extended-resources-`,
    namespace,
    annotations: { [extendedKey(identifiers)]: 'true' },
    ownerReferences: [owner],
    // A placeholder for the UID that the server assigns; no other claim has it.
    uid: `extended-resources ${uid}`,
  };
  // The server completes the metadata.
  return { metadata, spec: { devices: { requests } } } as unknown as ResourceClaim;
}

/** The claim for extended resources that a failed attempt to bind a pod left. */
export function extendedClaimOf(
  { metadata: { uid } }: Pod,
  claims: readonly ResourceClaim[],
  identifiers: Identifiers,
): ResourceClaim | undefined {
  return claims.find(
    ({ metadata }) =>
      metadata.annotations?.[extendedKey(identifiers)] === 'true' &&
      metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true),
  );
}
