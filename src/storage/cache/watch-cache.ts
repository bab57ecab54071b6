import { CacheChecks, type ComparisonCounts } from './cache-checks.ts';
import { forgetUntil } from './history-budget.ts';
import { type CacheSettings, defaultCacheSettings } from './cache-settings.ts';
import type { CacheCounts } from './cache-counts.ts';
import { CachedResource, type CacheContext } from './cached-resource.ts';
import { TimerWheel } from '../../async/timer-wheel.ts';
import { EncodingBudget } from '../objects/encoding-budget.ts';
import { ListBytesCache } from '../objects/list-bytes-cache.ts';
import { resourceSegment, storePrefix, type StorageLocation } from '../port/object-key.ts';
import { type ObjectStore, type StoreEvent, keyOf } from '../port/object-store.ts';
import { progressWrites } from '../port/progress-writes.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { everything, objectsIn } from '../objects/object-tree.ts';
import type { ResourceCache } from './resource-cache.ts';
import { sharedRevisionReads } from '../port/revision-reads.ts';
import { SharedHistory } from './shared-history.ts';
import type { ResourceReading } from '../objects/resource-reading.ts';
import type { StorageError, StorageLog } from '../port/storage-error.ts';
import { Reflector } from './reflector.ts';

/** Options of a watch cache. */
interface WatchCacheOptions {
  readonly store: ObjectStore;
  /** The prefix of all keys of this system. */
  readonly prefix: string;
  /** Shorthand for the age limit in `settings.history`. */
  readonly historyMs?: number;
  readonly settings?: Partial<CacheSettings>;
  readonly log?: StorageLog;
  /** The caches of resources in other stores, by their key segments; closed with this one. */
  readonly others?: ReadonlyMap<string, WatchCache>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Metrics of one resource. */
export interface ResourceCounts extends CacheCounts {
  readonly location: StorageLocation;
  readonly comparisons: ComparisonCounts;
}

/** How often old history is dropped, and a warm resource that failed to fill is tried again. */
const upkeepIntervalMs = 1_000;

/**
 * The caches of all resources, fed by one watch over the store's prefix (docs/architecture.md,
 * invariants 2 to 5). The watch opens on first use; each resource is filled on its own first use.
 * `close` ends the watches of clients and the one on the store.
 */
export class WatchCache {
  readonly #resources = new Map<string, CachedResource>();
  /** The same, for a look-up without a text. */
  #byLocation = new WeakMap<StorageLocation, CachedResource>();
  readonly #warm = new Map<string, CachedResource>();
  readonly #context: CacheContext;
  readonly #upkeepTimer: NodeJS.Timeout;
  readonly #resetListeners: ((cause: StorageError) => void)[] = [];
  readonly #checks: CacheChecks;
  readonly #others: ReadonlyMap<string, WatchCache>;

  constructor(options: WatchCacheOptions) {
    const { store, prefix, log = () => {}, now = () => performance.now() } = options;
    const settings = completeSettings(options);
    this.#others = options.others ?? new Map();
    const reflector = new Reflector({
      store,
      prefix: storePrefix(prefix),
      onEvents: (events) => this.#onEvents(events),
      onReset: (cause) => this.#onReset(cause),
      onRenewal: (revision) => this.#onRenewal(revision),
      // As with reads, a caller needs a write that begins after its call.
      writeProgress: sharedRevisionReads(progressWrites(store, prefix)),
      silenceMs: settings.silenceMs,
      showTimeoutMs: settings.showTimeoutMs,
      log,
    });
    this.#context = {
      store,
      prefix,
      reflector,
      storePrefix: storePrefix(prefix),
      sharedHistory: new SharedHistory(store, storePrefix(prefix)),
      latestRevision: sharedRevisionReads(() => reflector.latestRevision()),
      settings,
      timers: new TimerWheel(settings.timerStepMs),
      wakeLater: batchedWakeUps(),
      now,
      log,
      listBytes: new ListBytesCache(),
      encodings: new EncodingBudget(),
      sealed: new Set(),
    };
    this.#upkeepTimer = setInterval(() => this.#upkeep(), upkeepIntervalMs);
    this.#upkeepTimer.unref();
    this.#checks = new CacheChecks({
      intervalMs: settings.checkIntervalMs,
      caches: () => [...this.#resources.values()],
    });
  }

  /** The newest revision that all caches have reached. */
  get revision(): number {
    return this.#context.reflector.revision;
  }

  /** Number of live watches of all resources. */
  get watches(): number {
    return this.counts().reduce((sum, { watches }) => sum + watches, 0);
  }

  /** The number of cached objects of a resource; 0 while its cache is not filled. */
  objectsAt(location: StorageLocation): number {
    const name = resourceSegment(location);
    return this.#resources.get(name)?.counts.objects ?? this.#others.get(name)?.objectsAt(location) ?? 0;
  }

  /** Metrics of each resource. */
  counts(): ResourceCounts[] {
    const own = [...this.#resources.values()].map((resource) => {
      const { location, counts } = resource;
      return { location, ...counts, comparisons: this.#checks.countsOf(resource) };
    });
    return [...own, ...this.#otherCaches().flatMap((other) => other.counts())];
  }

  /** Events that a faulty store delivered twice. */
  get droppedEvents(): number {
    return this.#sum(this.#context.reflector.droppedEvents, ({ droppedEvents }) => droppedEvents);
  }

  /** Bytes of history in memory, of all resources. */
  get historyBytes(): number {
    const own = [...this.#resources.values()].reduce((sum, { state }) => sum + (state?.log.bytes ?? 0), 0);
    return this.#sum(own, ({ historyBytes }) => historyBytes);
  }

  /** Bytes of cached encodings: other versions and media types than those stored. */
  get encodingBytes(): number {
    return this.#sum(this.#context.encodings.bytes, ({ encodingBytes }) => encodingBytes);
  }

  /** Bytes of cached lists. */
  get listBytes(): number {
    return this.#sum(this.#context.listBytes.bytes, ({ listBytes }) => listBytes);
  }

  /** Number of comparisons that found a cache different from the store. */
  get mismatches(): number {
    return this.#sum(this.#checks.mismatches, ({ mismatches }) => mismatches);
  }

  /**
   * The cache of a resource. Options are used only by the first call for a location; API versions
   * with the same storage share the cache.
   */
  resource(location: StorageLocation, options: ResourceReading = {}): ResourceCache {
    const known = this.#byLocation.get(location);
    if (known) return known;
    const name = resourceSegment(location);
    const other = this.#others.get(name);
    if (other) return other.resource(location, options);
    const resource = this.#resources.get(name) ?? new CachedResource(this.#context, location, options);
    this.#resources.set(name, resource);
    this.#byLocation.set(location, resource);
    return resource;
  }

  /**
   * Removes a resource that is no longer served: ends its watches cleanly and drops its cache.
   * Stored objects stay. Remaining users of the cache read from the store.
   */
  remove(location: StorageLocation): void {
    const name = resourceSegment(location);
    this.#others.get(name)?.remove(location);
    const resource = this.#resources.get(name);
    if (!resource) return;
    resource.close();
    this.#checks.forget(resource);
    this.#resources.delete(name);
    this.#byLocation = new WeakMap();
    this.#warm.delete(name);
  }

  /**
   * Keeps resources filled; `problems` reports them while they are not. Resolves when they are
   * filled; rejects if that fails, though it is tried again. `resource` must have been called for
   * each before, because it sets the fields.
   */
  async warm(locations: Iterable<StorageLocation>): Promise<void> {
    const elsewhere: Promise<void>[] = [];
    for (const location of locations) {
      const name = resourceSegment(location);
      const other = this.#others.get(name);
      if (other) {
        elsewhere.push(other.warm([location]));
        continue;
      }
      const resource = this.#resources.get(name);
      if (!resource) throw new TypeError(`${name}: resource() must be called before warm()`);
      this.#warm.set(name, resource);
    }
    await Promise.all([...elsewhere, ...[...this.#warm.values()].map((resource) => resource.fill())]);
  }

  /**
   * Calls `listener` after each reset, when the caches are empty: the store may have been replaced.
   */
  onReset(listener: (cause: StorageError) => void): void {
    this.#resetListeners.push(listener);
    for (const other of this.#otherCaches()) other.onReset(listener);
  }

  /**
   * A message if the watch on the store has been broken for longer than `staleAfterMs`, so that
   * cached reads may be stale; undefined otherwise.
   */
  watchProblem(): string | undefined {
    const { reflector, settings } = this.#context;
    const brokenMs = reflector.brokenSince === undefined ? 0 : performance.now() - reflector.brokenSince;
    if (brokenMs <= settings.staleAfterMs) {
      return this.#otherCaches()
        .map((other) => other.watchProblem())
        .find((problem) => problem !== undefined);
    }
    return `the watch on the store has been broken for ${Math.round(brokenMs / 1000)} s`;
  }

  /** The reasons why the cache is not ready; empty if it is. See also `watchProblem`. */
  problems(): readonly string[] {
    const problems: string[] = [];
    for (const [name, resource] of this.#warm) if (!resource.filled) problems.push(`${name} is not loaded yet`);
    for (const [name, resource] of this.#resources) {
      if (resource.differs) problems.push(`${name} differed from the store and is being reloaded`);
    }
    return [...problems, ...this.#otherCaches().flatMap((other) => other.problems())];
  }

  /** The largest present objects, in descending order. Visits all objects and yields in between. */
  async largest(count: number): Promise<readonly LargeObject[]> {
    const found: LargeObject[] = [];
    let [leastBytes, startMs] = [0, performance.now()];
    for (const { state } of this.#resources.values()) {
      for (const object of state ? objectsIn(state.snapshot(), everything) : []) {
        if (found.length < count || object.size > leastBytes) {
          found.push(object);
          if (found.length > 2 * count) leastBytes = keepLargest(found, count);
        }
        const rest = yieldIfLong(startMs);
        if (!rest) continue;
        await rest;
        startMs = performance.now();
      }
    }
    const others = await Promise.all(this.#otherCaches().map((other) => other.largest(count)));
    const all = [...found, ...others.flat()];
    keepLargest(all, count);
    return all;
  }

  /** Reads resources with unreadable values again, because their keys may be available now. */
  retryUnreadable(): void {
    for (const resource of this.#resources.values()) resource.retryUnreadable();
    for (const other of this.#otherCaches()) other.retryUnreadable();
  }

  /** Ends all watches cleanly. The store stays open. */
  async close(): Promise<void> {
    clearInterval(this.#upkeepTimer);
    this.#context.timers.close();
    this.#context.sharedHistory.close();
    for (const resource of this.#resources.values()) resource.close();
    await this.#checks.close();
    await this.#context.reflector.close();
    await Promise.all(this.#otherCaches().map((other) => other.close()));
  }

  #otherCaches(): readonly WatchCache[] {
    return [...new Set(this.#others.values())];
  }

  #sum(own: number, of: (other: WatchCache) => number): number {
    return this.#otherCaches().reduce((sum, other) => sum + of(other), own);
  }

  #onEvents(events: readonly StoreEvent[]): void {
    const start = this.#context.storePrefix.length;
    for (const event of events) {
      const key = keyOf(event);
      this.#resources.get(key.slice(start, key.indexOf('/', start)))?.apply(event);
    }
  }

  #onReset(cause: StorageError): void {
    for (const resource of this.#resources.values()) resource.reset(cause);
    for (const listener of this.#resetListeners) listener(cause);
  }

  #onRenewal(revision: number): void {
    for (const resource of this.#resources.values()) resource.keepUpTo(revision);
  }

  #upkeep(): void {
    const states = [...this.#resources.values()].flatMap(({ state }) => state ?? []);
    const logs = states.map(({ log }) => log);
    const untilMs = forgetUntil(logs, this.#context.settings.historyBytes);
    for (const state of states) state.trim(untilMs);
    for (const resource of this.#warm.values()) resource.fillInBackground();
  }
}

function completeSettings({ settings, historyMs }: WatchCacheOptions): CacheSettings {
  const complete = { ...defaultCacheSettings, ...settings };
  return historyMs === undefined ? complete : { ...complete, history: { ...complete.history, historyMs } };
}

interface Wakeable {
  wake(): void;
}

/**
 * Batches wake-ups at the end of the tick, so that all events of a tick are read and written
 * together. An object that is passed twice is woken twice.
 */
function batchedWakeUps(): (asker: Wakeable) => void {
  let askers: Wakeable[] = [];
  const wakeAll = () => {
    const woken = askers;
    askers = [];
    for (const asker of woken) asker.wake();
  };
  return (asker) => {
    if (askers.push(asker) === 1) setImmediate(wakeAll);
  };
}

/** A large object. */
type LargeObject = Pick<CachedObject, 'key' | 'size' | 'revision'>;

/** Keeps only the largest objects of a list, sorted; returns the size of the smallest. */
function keepLargest(objects: LargeObject[], count: number): number {
  objects.sort((one, other) => other.size - one.size);
  objects.length = Math.min(objects.length, count);
  return objects.at(-1)?.size ?? 0;
}
