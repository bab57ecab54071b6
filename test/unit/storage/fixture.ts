import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { CacheSettings } from '../../../src/storage/cache/cache-settings.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import type { ListPage, ObjectStore, WatchBatch, WatchOptions } from '../../../src/storage/port/object-store.ts';
import type { CacheEvent, CacheWatchQuery, ResourceCache } from '../../../src/storage/cache/resource-cache.ts';
import { StorageError, type StorageErrorCode, type StorageLog } from '../../../src/storage/port/storage-error.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';

export const prefix = '/registry';
export const pods = { group: '', resource: 'pods' };
export const nodes = { group: '', resource: 'nodes' };
export const deployments = { group: 'apps', resource: 'deployments' };

/** A pod with labels. */
export function pod(
  namespace: string,
  name: string,
  labels: Record<string, string> = {},
  more: JsonObject = {},
): JsonObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace, uid: `uid-${name}`, labels }, ...more };
}

/** Puts an object whatever is there; answers the revision. */
export async function put(store: ObjectStore, key: string, value: JsonObject): Promise<number> {
  return putBytes(store, key, encodeStoredObject(value));
}

export async function putBytes(store: ObjectStore, key: string, bytes: Buffer): Promise<number> {
  const { current } = await store.get(key);
  if (!current) return (await store.create(key, bytes)).revision;
  return (await store.update(key, bytes, current.revision)).revision;
}

export async function remove(store: ObjectStore, key: string): Promise<number> {
  const { current } = await store.get(key);
  if (!current) throw new Error(`${key} is not there`);
  return (await store.delete(key, current.revision)).revision;
}

export function podKey(namespace: string, name: string): string {
  return objectKey(prefix, pods, namespace, name);
}

export function putPod(store: ObjectStore, namespace: string, name: string, labels: Record<string, string> = {}) {
  return put(store, podKey(namespace, name), pod(namespace, name, labels));
}

/** Raises the store's revision by something that no resource is made of. */
export function touch(store: ObjectStore): Promise<number> {
  return putBytes(store, `${prefix}/~/compaction`, Buffer.from(`{"n":${Math.random()}}`));
}

/** A store whose watches can be cut and held up, and whose calls are counted. */
export class FaultyStore implements ObjectStore {
  readonly inner = new MemoryStore();
  readonly counts = { get: 0, list: 0, watch: 0, status: 0 };
  /** Awaited before each batch of a watch. */
  gate: Promise<void> = Promise.resolve();
  /** Awaited inside each status call, behind its reading. */
  statusGate: Promise<void> = Promise.resolve();
  /** Awaited before each page of a list, behind its reading. */
  listGate: Promise<void> = Promise.resolve();
  /** Answered instead of the true revision. */
  pretendedRevision: number | undefined;
  unavailable = false;
  /** Whether events have lost their previous values, as after a compaction. */
  forgetful = false;
  #cuts = new Set<AbortController>();

  get: ObjectStore['get'] = (...args) => {
    this.counts.get++;
    return this.#up() ?? this.inner.get(...args);
  };
  create: ObjectStore['create'] = (...args) => this.inner.create(...args);
  update: ObjectStore['update'] = (...args) => this.inner.update(...args);
  delete: ObjectStore['delete'] = (...args) => this.inner.delete(...args);
  compact: ObjectStore['compact'] = (...args) => this.inner.compact(...args);

  async *list(...args: Parameters<ObjectStore['list']>): AsyncIterable<ListPage> {
    this.counts.list++;
    for await (const page of this.inner.list(...args)) {
      await this.listGate;
      yield page;
    }
  }

  async status() {
    this.counts.status++;
    const down = this.#up();
    if (down) return down;
    const status = await this.inner.status();
    await this.statusGate;
    return this.pretendedRevision === undefined ? status : { ...status, revision: this.pretendedRevision };
  }

  async *watch(watched: string, options: WatchOptions): AsyncIterable<WatchBatch> {
    this.counts.watch++;
    const down = this.#up();
    if (down) await down;
    const cut = new AbortController();
    this.#cuts.add(cut);
    const signal = options.signal ? AbortSignal.any([options.signal, cut.signal]) : cut.signal;
    const aborted = once(signal);
    for await (const batch of this.inner.watch(watched, { ...options, signal })) {
      await Promise.race([this.gate, aborted]);
      if (signal.aborted) break;
      yield this.forgetful
        ? { ...batch, events: batch.events.map((event) => ({ ...event, previous: undefined })) }
        : batch;
    }
    if (!options.signal?.aborted) throw new StorageError('Unavailable', 'the stream was cut');
  }

  /** Breaks all streams. */
  cut(): void {
    for (const cut of this.#cuts) cut.abort();
    this.#cuts.clear();
  }

  close() {
    return this.inner.close();
  }

  #up(): Promise<never> | undefined {
    return this.unavailable ? Promise.reject(new StorageError('Unavailable', 'the store is down')) : undefined;
  }
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A cache over a store, with short times. */
export function newCache(store: ObjectStore, settings: Partial<CacheSettings> = {}, log?: StorageLog): WatchCache {
  const dependencies = { store, prefix, settings: { freshnessTimeoutMs: 1_000, timerStepMs: 5, ...settings } };
  return new WatchCache(log ? { ...dependencies, log } : dependencies);
}

/** What a watch was sent, in a form that reads well in a failure. */
export function describeEvents(events: Iterable<CacheEvent>): string[] {
  return Array.from(events, (event) =>
    event.type === 'BOOKMARK'
      ? `BOOKMARK${event.initialEventsEnd ? ' end' : ''}`
      : `${event.type} ${event.object.name} ${event.object.revision}`,
  );
}

/** A watch that is being read. */
export interface ReadWatch {
  readonly events: CacheEvent[];
  readonly batches: (readonly CacheEvent[])[];
  /** Resolves with the error that ended it, if one did. */
  readonly done: Promise<unknown>;
  /** Resolves when so many events have come. */
  until(count: number): Promise<void>;
  stop(): Promise<unknown>;
}

const everything: CacheWatchQuery = {
  namespace: '',
  start: { kind: 'state', at: { kind: 'any' }, bookmarkAfterState: false },
  bookmarks: false,
  timeoutMs: 3_600_000,
};

/** Reads a watch as fast as it comes. */
export function readWatch(resource: ResourceCache, query: Partial<CacheWatchQuery> = {}): ReadWatch {
  const stop = new AbortController();
  const events: CacheEvent[] = [];
  const batches: (readonly CacheEvent[])[] = [];
  const read = async () => {
    for await (const batch of resource.watch({ ...everything, ...query }, stop.signal)) {
      batches.push(batch);
      events.push(...batch);
    }
  };
  const done = read().catch((error: unknown) => error);
  return {
    events,
    batches,
    done,
    until: (count) => eventually(() => events.length >= count),
    stop: () => {
      stop.abort();
      return done;
    },
  };
}

export function after(revision: number): { readonly start: CacheWatchQuery['start'] } {
  return { start: { kind: 'after', revision } };
}

/** Waits until something holds, at most two minutes: far longer than it takes. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 120_000; !holds(); ) {
    if (performance.now() > end) throw new Error('it did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** For `assert.rejects`. */
export function code(expected: StorageErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof StorageError && error.code === expected;
}
