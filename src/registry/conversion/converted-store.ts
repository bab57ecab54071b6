import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { ResourceCache } from '../../storage/cache/resource-cache.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { decodeStoredObject, encodeStoredObject } from '../../storage/objects/stored-object.ts';
import { splitObjectKey } from '../../storage/port/object-key.ts';
import type { ObjectStore, StoredValue, SwapResult } from '../../storage/port/object-store.ts';
import type { ConvertedObjects } from './converted-objects.ts';

interface ConvertedStoreOptions {
  readonly store: ObjectStore;
  /** The cache of the resource, which has objects in the versions in which they were stored. */
  readonly cache: ResourceCache;
  /** The prefix of the keys of the resource. */
  readonly prefix: string;
  readonly objects: ConvertedObjects;
  /** Converts to the storage version; absent for the storage version. Throws `StatusError`. */
  readonly toStored: ((object: JsonObject) => Promise<JsonObject>) | undefined;
}

/** A store that shows and takes objects in one version of their resource. */
interface ConvertedStore {
  readonly store: ObjectStore;
  /** The object that a write left, as it is read again; undefined if it was not written here. */
  readonly takeWritten: (stored: StoredValue) => CachedObject | undefined;
}

/** Written objects whose writers have not taken them yet. */
const untakenLimit = 1_000;

/**
 * Converts the objects that the writes of a version send to the store and read from it. A written
 * object is converted back for its writer, as every later reader will see it. Lists and watches are
 * for the cache, which does not use this store.
 */
export function convertedStore(options: ConvertedStoreOptions): ConvertedStore {
  const { store, cache, objects, toStored } = options;
  const written = new LRUCache<string, CachedObject>({ max: untakenLimit });
  const storedValue = async (key: string, value: Uint8Array): Promise<Uint8Array> =>
    toStored ? encodeStoredObject(await toStored(treeOf(key, value))) : value;
  const note = async (stored: StoredValue): Promise<void> => {
    if (toStored) written.set(stored.key, await objects.one(cache.written(stored)));
  };
  const shown = async (stored: StoredValue | undefined): Promise<StoredValue | undefined> =>
    stored && shownValue(options, stored);
  const shownSwap = async (result: SwapResult): Promise<SwapResult> =>
    result.swapped ? result : { ...result, current: await shown(result.current) };
  return {
    store: {
      get: async (key, given) => {
        const result = await store.get(key, given);
        return { ...result, current: await shown(result.current) };
      },
      create: async (key, value, given) => {
        const sent = await storedValue(key, value);
        const result = await store.create(key, sent, given);
        await note({ key, value: sent, revision: result.revision });
        return result;
      },
      update: async (key, value, revision, given) => {
        const sent = await storedValue(key, value);
        const result = await store.update(key, sent, revision, given);
        if (result.swapped) await note({ key, value: sent, revision: result.revision });
        return shownSwap(result);
      },
      delete: async (key, revision, given) => shownSwap(await store.delete(key, revision, given)),
      list: (...args) => store.list(...args),
      watch: (...args) => store.watch(...args),
      compact: (...args) => store.compact(...args),
      status: (...args) => store.status(...args),
      close: () => store.close(),
    },
    takeWritten: ({ key, revision }) => {
      const object = written.get(key);
      written.delete(key);
      return object?.revision === revision ? object : undefined;
    },
  };
}

async function shownValue({ prefix, objects }: ConvertedStoreOptions, stored: StoredValue): Promise<StoredValue> {
  const start = performance.now();
  const { namespace, name } = splitObjectKey(prefix, stored.key) ?? { namespace: '', name: '' };
  const source = cachedObject(stored, { namespace, name });
  const object = await objects.one(source);
  await yieldIfLong(start);
  return object === source ? stored : { ...stored, value: encodeStoredObject(object.decode()) };
}

function treeOf(key: string, value: Uint8Array): JsonObject {
  const tree = decodeJson(decodeStoredObject(key, value).json, { duplicates: false }).value;
  if (!isJsonObject(tree)) throw new TypeError('a stored object is an object');
  return tree;
}
