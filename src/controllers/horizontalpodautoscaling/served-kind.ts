import type { DiscoveredResource } from '../../client/discovery.ts';
import type { ResourceMapper } from '../../client/resource-mapper.ts';
import { hasReason } from '../../client/error-of-response.ts';

/** An object that an autoscaler names. */
interface NamedKind {
  readonly apiVersion?: string;
  readonly kind: string;
}

/** The API group of a reference. Throws Error for a malformed apiVersion. */
export function groupOf({ apiVersion = '' }: NamedKind): string {
  const parts = apiVersion.split('/');
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return parts.length === 2 ? (parts[0] ?? '') : '';
}

/**
 * The resource of a kind, which may be served in another version than the reference names. Throws
 * Error with the message of kube-controller-manager for a kind that is not served.
 */
export async function servedKind(
  mapper: ResourceMapper,
  reference: NamedKind,
  signal: AbortSignal,
): Promise<DiscoveredResource> {
  const { apiVersion = 'v1', kind } = reference;
  const group = groupOf(reference);
  const { resources } = await mapper.discovery(signal);
  const known = resources.find((each) => each.group === group && each.kind === kind);
  if (known) return known;
  try {
    // Looks again for a kind that is not known.
    return await mapper.resourceOf(apiVersion, kind, signal);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    throw new Error(`no matches for kind "${kind}" in group "${group}"`, { cause: error });
  }
}
