import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { hasReason } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import type { Source } from '../describe/parts/related.ts';
import { itemsAt, shortGroup, textAt } from '../describe/parts/values.ts';

/** An object without its fields. */
export interface OwnedObject {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly owners: readonly Owner[];
}

/** An owner as a reference names it. */
interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Objects that no owner has, or whose kinds show others twice. */
const leftOut: ReadonlySet<string> = new Set(['/events', 'events/events', '/componentstatuses']);

/** Types that are read at a time. */
const parallel = 8;

/** Responses of types that the caller cannot list. */
const refusals = ['Forbidden', 'NotFound', 'MethodNotAllowed', 'NotAcceptable', 'ServiceUnavailable'];

/** Limits of a read of owners. */
interface OwnerLimits {
  /** The objects of a type that are read, to the end of a page; by default all. */
  readonly mostOfType?: number;
  /** Called for a type that may not be listed, or has more objects. */
  readonly onLeftOut?: (resource: DiscoveredResource, reason: 'refused' | 'many') => void;
}

/**
 * The objects of all types that can be listed, each in its preferred version, with their owners.
 * With a namespace only its objects and cluster-scoped ones.
 */
export async function readOwners(
  source: Source,
  namespace: string,
  limits: OwnerLimits = {},
): Promise<readonly OwnedObject[]> {
  const types = listedTypes(source.resources);
  const found: OwnedObject[] = [];
  for (let at = 0; at < types.length; at += parallel) {
    const batch = types
      .slice(at, at + parallel)
      .map((resource) => readType(source, resource, { namespace, ...limits }));
    found.push(...(await Promise.all(batch)).flat());
  }
  return found;
}

function listedTypes(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const byType = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const key = `${shortGroup(resource.group)}/${resource.resource}`;
    // Discovery has the preferred version of a group first.
    if (resource.verbs.includes('list') && !leftOut.has(key) && !byType.has(key)) byType.set(key, resource);
  }
  return [...byType.values()];
}

interface TypeRead extends OwnerLimits {
  readonly namespace: string;
}

async function readType(
  source: Source,
  resource: DiscoveredResource,
  { namespace, mostOfType = Number.POSITIVE_INFINITY, onLeftOut }: TypeRead,
): Promise<OwnedObject[]> {
  const options = { ...(resource.namespaced && namespace ? { namespace } : {}), signal: source.signal };
  const found: OwnedObject[] = [];
  try {
    for await (const page of source.client.metadata(resource).pages(options)) {
      // The codec of the client returns JSON values, of which a server may send any.
      const items: readonly unknown[] = page.items;
      found.push(...(items as readonly JsonObject[]).map((item) => ownedObject(resource, item)));
      if (found.length >= mostOfType && page.metadata.continue) {
        onLeftOut?.(resource, 'many');
        break;
      }
    }
  } catch (error) {
    if (!hasReason(error, ...refusals)) throw error;
    onLeftOut?.(resource, 'refused');
  }
  return found;
}

function ownedObject(resource: DiscoveredResource, item: JsonObject): OwnedObject {
  const owners = itemsAt(item, 'metadata.ownerReferences').map((owner) => ({
    kind: textAt(owner, 'kind'),
    name: textAt(owner, 'name'),
    uid: textAt(owner, 'uid'),
  }));
  const [name, namespace, uid] = ['name', 'namespace', 'uid'].map((field) => textAt(item, `metadata.${field}`));
  return { resource, name: name ?? '', namespace: namespace ?? '', uid: uid ?? '', owners };
}
