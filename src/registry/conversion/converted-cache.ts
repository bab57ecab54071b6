import type {
  CacheEvent,
  CacheList,
  CacheListQuery,
  CacheWatchQuery,
  ObjectFilter,
  ReadAt,
  ResourceCache,
} from '../../storage/cache/resource-cache.ts';
import type { CachedObject, ObjectDecoding } from '../../storage/objects/cached-object.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import { joinedItems } from '../../storage/objects/list-bytes-cache.ts';
import { itemsJson } from '../../storage/objects/items-json.ts';
import type { StoredValue } from '../../storage/port/object-store.ts';
import type { ConvertedObjects } from './converted-objects.ts';
import type { ConversionCache } from './conversion-cache.ts';

interface ConvertedCacheOptions {
  /** The cache of the resource, which has objects in the versions in which they were stored. */
  readonly cache: ResourceCache;
  readonly objects: ConvertedObjects;
  /** True if the labels and fields of objects are the same in the cache. */
  readonly selectsInCache: () => boolean;
  /** True for the storage version: most objects are in it. */
  readonly isStorageVersion: boolean;
  readonly kept: ConversionCache;
  readonly decoding: ObjectDecoding;
  /** Takes the object of a write to another version than the storage version. */
  readonly takeWritten: (stored: StoredValue) => CachedObject | undefined;
}

/** Objects listed with a filter that only their converted form can answer, page by page. */
const filteredPage = 500;

/**
 * Shows a cache in one version of its resource. Reads of the storage version take the bytes of the
 * cache, as long as all objects are stored in it. A conversion that fails fails only the reads that
 * need it, with a `StatusError`.
 */
export function convertedCache(options: ConvertedCacheOptions): ResourceCache {
  const { cache, objects, isStorageVersion } = options;
  const selectsInCache = (filter: ObjectFilter | undefined): boolean =>
    filter === undefined || options.selectsInCache();
  return {
    async get(namespace, name, at, signal) {
      const found = await cache.get(namespace, name, at, signal);
      return found.object ? { ...found, object: await objects.one(found.object) } : found;
    },
    async list(query, signal) {
      if (!selectsInCache(query.filter)) return filteredList(options, query, signal);
      const list = await cache.list(query, signal);
      return list.objects.every((object) => objects.known(object) === object)
        ? list
        : listOf(options, list, await objects.all(list.objects));
    },
    watch(query, signal) {
      if (selectsInCache(query.filter)) return convertedEvents(objects, cache.watch(query, signal), undefined);
      const { filter, ...rest } = query;
      const all: CacheWatchQuery = rest;
      return convertedEvents(objects, cache.watch(all, signal), filter);
    },
    peek(namespace, name) {
      const seen = cache.peek(namespace, name);
      return seen && objects.known(seen);
    },
    suggest(namespace, name) {
      const suggestion = cache.suggest(namespace, name);
      if (!suggestion?.object) return suggestion;
      const object = objects.known(suggestion.object);
      return object && { ...suggestion, object };
    },
    follow: (follower) => cache.follow(follower),
    fresh: (at, signal) => cache.fresh(at, signal),
    written: (stored) => (isStorageVersion ? cache.written(stored) : writtenObject(options, stored)),
  };
}

function writtenObject({ takeWritten, decoding }: ConvertedCacheOptions, stored: StoredValue): CachedObject {
  const taken = takeWritten(stored);
  if (taken) return taken;
  const [name = '', namespace = ''] = stored.key.split('/').toReversed();
  return cachedObject(stored, { namespace, name, decoding, typedItems: true });
}

function listOf(
  { kept }: ConvertedCacheOptions,
  { revision, lastKey, remaining, unreadable }: Omit<CacheList, 'objects' | 'json'>,
  objects: readonly CachedObject[],
): CacheList {
  const joined = joinedItems(kept.listBytes, lists, objects);
  return { revision, lastKey, remaining, unreadable, objects, joined, json: () => itemsJson(objects, joined) };
}

/** The bytes of converted lists end with their objects. */
const lists = Object.freeze({ ended: false });

/** Selects objects by their form in the version, until the limit of the list is reached. */
async function filteredList(
  options: ConvertedCacheOptions,
  query: CacheListQuery,
  signal: AbortSignal | undefined,
): Promise<CacheList> {
  const { cache, objects } = options;
  const { filter = () => true, terms: _terms, limit, ...rest } = query;
  const selected: CachedObject[] = [];
  const unreadable: string[] = [];
  let next: { readonly at: ReadAt; readonly afterKey?: string } = rest;
  for (;;) {
    const page = await cache.list({ ...rest, ...next, limit: limit === 0 ? 0 : Math.max(limit, filteredPage) }, signal);
    for (const object of await objects.all(page.objects)) if (filter(object.index(), object)) selected.push(object);
    const { revision, lastKey } = page;
    unreadable.push(...page.unreadable);
    const place = { revision, remaining: undefined, unreadable };
    if (limit > 0 && selected.length > limit) {
      const cut = selected.slice(0, limit);
      return listOf(options, { ...place, lastKey: cut.at(-1)?.key }, cut);
    }
    if (lastKey === undefined) return listOf(options, { ...place, lastKey }, selected);
    if (selected.length === limit) return listOf(options, { ...place, lastKey }, selected);
    next = { at: { kind: 'exact', revision }, afterKey: lastKey };
  }
}

/** The events of a watch in the version. With a filter, the watch must not have one. */
function convertedEvents(
  objects: ConvertedObjects,
  source: AsyncIterable<readonly CacheEvent[]>,
  filter: ObjectFilter | undefined,
): AsyncIterableIterator<readonly CacheEvent[]> {
  const batches = source[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const result = await batches.next();
      if (result.done) return { done: true, value: undefined };
      return { done: false, value: await convertedBatch(objects, result.value, filter) };
    },
    async return() {
      await batches.return?.();
      return { done: true, value: undefined };
    },
  };
}

async function convertedBatch(
  objects: ConvertedObjects,
  events: readonly CacheEvent[],
  filter: ObjectFilter | undefined,
): Promise<readonly CacheEvent[]> {
  const sources = events.flatMap((event) => sourcesOf(event, filter));
  if (!filter && sources.every((object) => objects.known(object) === object)) return events;
  const converted = await objects.all(sources);
  const inVersion = new Map(sources.map((object, index) => [object, converted[index] ?? object]));
  return events.flatMap((event) => eventIn(event, inVersion, filter));
}

function sourcesOf(event: CacheEvent, filter: ObjectFilter | undefined): readonly CachedObject[] {
  if (event.type === 'BOOKMARK') return [];
  return filter && event.previous ? [event.object, event.previous] : [event.object];
}

function eventIn(
  event: CacheEvent,
  inVersion: ReadonlyMap<CachedObject, CachedObject>,
  filter: ObjectFilter | undefined,
): readonly CacheEvent[] {
  if (event.type === 'BOOKMARK') return [event];
  const object = inVersion.get(event.object) ?? event.object;
  if (!filter) return [{ type: event.type, object }];
  const previous = event.previous && inVersion.get(event.previous);
  const matches = filter(object.index(), object);
  if (!previous) return matches ? [{ type: event.type, object }] : [];
  const matched = filter(previous.index(), previous);
  if (matches) return [{ type: matched ? 'MODIFIED' : 'ADDED', object }];
  return matched ? [{ type: 'DELETED', object: previous.withRevision(object.revision) }] : [];
}
