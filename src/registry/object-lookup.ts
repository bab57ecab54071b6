import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { StatusSubject } from '../status/status-error.ts';
import type { CachedObject } from '../storage/cached-object.ts';
import type { ReadAt, ResourceCache } from '../storage/resource-cache.ts';
import { atStorageBorder } from './storage-status.ts';

/** A lookup over the cache of a cluster-scoped resource. */
export function objectLookup(cache: ResourceCache, subject: StatusSubject): ObjectLookup {
  const list = async (at: ReadAt, signal: AbortSignal): Promise<readonly JsonObject[]> => {
    const query = { namespace: '', at, limit: 0 };
    const { objects } = await atStorageBorder({ subject, name: '' }, () => cache.list(query, signal));
    return objects.map(decoded);
  };
  return {
    async find(name, signal) {
      const known = cache.peek('', name);
      if (known) return decoded(known);
      const read = () => cache.get('', name, { kind: 'latest' }, signal);
      const { object } = await atStorageBorder({ subject, name }, read);
      return object && decoded(object);
    },
    list: (signal) => list({ kind: 'latest' }, signal),
    listKnown: (signal) => list({ kind: 'any' }, signal),
  };
}

/** A cache, not state: what an object decodes to follows from its bytes. */
const decodedObjects = new WeakMap<CachedObject, JsonObject>();

/** Classes are few and read for every create of what they class, so each is decoded once. */
function decoded(cached: CachedObject): JsonObject {
  let object = decodedObjects.get(cached);
  if (!object) {
    object = cached.decode();
    decodedObjects.set(cached, object);
  }
  return object;
}
