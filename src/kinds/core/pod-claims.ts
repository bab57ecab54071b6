import type { Pod } from '../../gen/types/core-v1.ts';

/** The part of a pod that names its claims of devices. */
type ClaimingPod = Pick<Pod, 'spec' | 'status'>;

/** A claim of devices of a pod: the name in the pod, and the name of the ResourceClaim. */
interface PodClaim {
  readonly podClaim: string;
  /** The name of the claim; undefined while it has not been made. */
  readonly claim: string | undefined;
  /** True if the claim is made from a template for this pod alone. */
  readonly isOwn: boolean;
}

/** The claims of devices that a pod uses, without those that the controller found unnecessary. */
export function podClaimsOf({ spec, status }: ClaimingPod): readonly PodClaim[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map((one) => [one.name, one.resourceClaimName]));
  return (spec?.resourceClaims ?? []).flatMap((entry): PodClaim[] => {
    const { name, resourceClaimName, resourceClaimTemplateName } = entry;
    if (resourceClaimName !== undefined) return [{ podClaim: name, claim: resourceClaimName, isOwn: false }];
    if (resourceClaimTemplateName === undefined) return [];
    // A status without a name says that no claim is needed.
    if (made.has(name) && made.get(name) === undefined) return [];
    return [{ podClaim: name, claim: made.get(name), isOwn: true }];
  });
}

/** The names of the ResourceClaims of a pod that have been created. */
export function claimNamesOf(pod: ClaimingPod): readonly string[] {
  return podClaimsOf(pod).flatMap(({ claim }) => claim ?? []);
}
