import type { PodResourceClaim, PodResourceClaimStatus } from '../../gen/types/core-v1.ts';
import type { ResourceClaimTemplate } from '../../gen/types/resource-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { Pod, ResourceClaim } from '../resources.ts';

/** The state and the calls of `makeClaims`. */
interface MakeCalls {
  readonly identifiers: Identifiers;
  /** Group and version of claims. */
  readonly apiVersion: string;
  /** The claims that belong to the pod. */
  readonly owned: readonly ResourceClaim[];
  readonly template: (name: string) => Promise<ResourceClaimTemplate>;
  readonly create: (claim: ResourceClaim) => Promise<ResourceClaim>;
  /** Writes the names of the claims into the status of the pod. */
  readonly report: (statuses: readonly PodResourceClaimStatus[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/**
 * Makes a claim for each template that a pod names and writes the names of the claims into its
 * status. A claim that was made before the status was written is found by its annotation. Throws
 * after a Warning if a claim cannot be made, so that it is tried again.
 */
export async function makeClaims(pod: Pod | undefined, calls: MakeCalls): Promise<void> {
  if (!pod || pod.metadata.deletionTimestamp !== undefined || hasEnded(pod)) return;
  const wanted = (pod.spec.resourceClaims ?? []).filter((claim) => claim.resourceClaimTemplateName !== undefined);
  if (wanted.length === 0) return;
  const known = new Map((pod.status?.resourceClaimStatuses ?? []).map((one) => [one.name, one.resourceClaimName]));
  const present = new Set(calls.owned.map(({ metadata }) => metadata.name));
  const statuses: PodResourceClaimStatus[] = [];
  for (const podClaim of wanted) {
    const { name: entry } = podClaim;
    const current = known.get(entry);
    const isThere = current !== undefined && present.has(current);
    const name = isThere ? current : await claimFor(pod, podClaim, calls);
    statuses.push({ name: entry, resourceClaimName: name });
  }
  if (statuses.some(({ name, resourceClaimName }) => known.get(name) !== resourceClaimName)) {
    await calls.report(statuses);
  }
}

/** The annotation that names the entry of the pod for which a claim was made. */
function entryKey({ labelDomain }: Identifiers): string {
  return `resource.${labelDomain}/pod-claim-name`;
}

async function claimFor(pod: Pod, podClaim: PodResourceClaim, calls: MakeCalls): Promise<string> {
  const key = entryKey(calls.identifiers);
  const found = calls.owned.find(({ metadata }) => metadata.annotations?.[key] === podClaim.name);
  if (found) return found.metadata.name;
  try {
    const template = await calls.template(podClaim.resourceClaimTemplateName ?? '');
    const made = await calls.create(claimOf(pod, podClaim, template, calls));
    return made.metadata.name;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    calls.warn(`PodResourceClaim ${podClaim.name}: ${why}`);
    throw error;
  }
}

function claimOf(
  { metadata: { name, uid, namespace } }: Pod,
  podClaim: PodResourceClaim,
  { spec }: ResourceClaimTemplate,
  { identifiers, apiVersion }: MakeCalls,
): ResourceClaim {
  const { labels, annotations } = spec?.metadata ?? {};
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
  const metadata = {
    generateName: `${name}-${podClaim.name}-`,
    namespace,
    ...(labels ? { labels } : {}),
    annotations: { ...annotations, [entryKey(identifiers)]: podClaim.name },
    ownerReferences: [owner],
  };
  // The server completes the metadata.
  return { apiVersion, kind: 'ResourceClaim', metadata, spec: spec?.spec } as unknown as ResourceClaim;
}
