import type { PodResourceClaim, PodResourceClaimStatus } from '../../gen/types/core-v1.ts';
import type { ResourceClaimTemplate } from '../../gen/types/resource-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { Pod, ResourceClaim } from '../resources.ts';

/** The state and the calls of the creation of claims. */
interface MakeCalls {
  readonly identifiers: Identifiers;
  /** Group and version of claims. */
  readonly apiVersion: string;
  /** The claims that the pod owns. */
  readonly owned: readonly ResourceClaim[];
  readonly template: (name: string) => Promise<ResourceClaimTemplate>;
  readonly create: (claim: ResourceClaim) => Promise<ResourceClaim>;
  /** Writes the names of the claims into the pod's status. */
  readonly report: (statuses: readonly PodResourceClaimStatus[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/**
 * Creates a claim for each template of a pod and writes the names of the claims into the pod's
 * status. A claim that exists already is found by its annotation. If a claim cannot be created,
 * records a Warning and throws, so that the reconcile is retried.
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

/** The annotation with the name of the pod's entry for which the claim was created. */
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
