import type { Client } from '../../../../client/client.ts';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf, namespaceOf } from '../../../../meta/object-meta.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';

/** For fewer objects of a type and namespace a list is not worth it. */
const fewestObjects = 8;

/** A list of more than this is dearer than asking for each object. */
const longestList = (count: number): number => 4 * count + 100;

/** The objects that were there when a step of an apply began. */
export interface ExistingObjects {
  /**
   * The kind and the metadata of the object of a manifest; `absent` if there was none, and
   * undefined if it has to be asked for. It may have changed since.
   */
  find(resource: DiscoveredResource, manifest: Manifest): Promise<JsonObject | 'absent' | undefined>;
}

interface ApplyPlace {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** The namespace of `-n`. */
  readonly namespace: string | undefined;
}

/** The first page of the metadata of a type in a namespace. */
interface Listed {
  readonly byName: ReadonlyMap<string, JsonObject>;
  readonly isWhole: boolean;
}

/**
 * Finds objects of a step by one list for many of a type and namespace, which costs less than a
 * request for each. The list is asked for with the first of them. Objects that the step has twice
 * have to be asked for, and so have all that a user may not list or that are among many others.
 */
export function createExistingObjects(place: ApplyPlace, step: readonly Manifest[]): ExistingObjects {
  const collectionOf = (manifest: Manifest): string =>
    JSON.stringify([manifest.object.apiVersion, manifest.object.kind, namespaceIn(place, manifest)]);
  const counts = countBy(step, collectionOf);
  const times = countBy(step, (manifest) => objectKey(place, manifest));
  const lists = new Map<string, Promise<Listed | undefined>>();
  return {
    async find(resource, manifest) {
      const collection = collectionOf(manifest);
      const count = counts.get(collection) ?? 0;
      const isTwice = times.get(objectKey(place, manifest)) !== 1;
      if (count < fewestObjects || isTwice || !resource.verbs.includes('list')) return undefined;
      const list = lists.get(collection) ?? firstPage(place, resource, namespaceIn(place, manifest), count);
      lists.set(collection, list);
      const listed = await list;
      return listed?.byName.get(nameOf(manifest.object)) ?? (listed?.isWhole ? 'absent' : undefined);
    },
  };
}

/** A text for the object of a manifest, which is the same in all versions of its kind. */
export function objectKey(place: ApplyPlace, manifest: Manifest): string {
  const { apiVersion, kind } = manifest.object;
  const group = apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));
  return JSON.stringify([group, kind, namespaceIn(place, manifest), nameOf(manifest.object)]);
}

function namespaceIn({ client, namespace }: ApplyPlace, { object }: Manifest): string {
  return namespaceOf(object) || namespace || client.settings.namespace;
}

function countBy(step: readonly Manifest[], keyOf: (manifest: Manifest) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const manifest of step) counts.set(keyOf(manifest), (counts.get(keyOf(manifest)) ?? 0) + 1);
  return counts;
}

async function firstPage(
  { client, signal }: ApplyPlace,
  resource: DiscoveredResource,
  namespace: string,
  count: number,
): Promise<Listed | undefined> {
  try {
    const { items, metadata } = await client
      .metadata(resource)
      .list({ ...(resource.namespaced ? { namespace } : {}), limit: longestList(count), signal });
    // The codec of the client returns JSON values.
    const byName = new Map(items.map((item) => [item.metadata.name ?? '', item as object as JsonObject]));
    return { byName, isWhole: !metadata.continue };
  } catch {
    signal.throwIfAborted();
    // A user who may not list, or not the metadata alone, may still read each.
    return undefined;
  }
}
