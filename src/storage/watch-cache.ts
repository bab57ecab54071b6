import { CacheChecks, type ComparisonCounts } from './cache-checks.ts';
import { forgetUntil } from './history-budget.ts';
import { type CacheSettings, defaultCacheSettings } from './cache-settings.ts';
import { CachedResource, type CacheSurroundings } from './cached-resource.ts';
import { TimerWheel } from '../async/timer-wheel.ts';
import { ListBytesCache } from './list-bytes-cache.ts';
import { resourceSegment, storePrefix, type StorageLocation } from './object-key.ts';
import type { ObjectStore, StoreEvent } from './object-store.ts';
import { progressWrites } from './progress-writes.ts';
import type { ResourceCache } from './resource-cache.ts';
import { sharedRevisionReads } from './revision-reads.ts';
import { SharedHistory } from './shared-history.ts';
import type { FieldsOf } from './spliced-object.ts';
import type { StorageError } from './storage-error.ts';
import { keyOf } from './store-event.ts';
import { type CacheLog, StoreFeed } from './store-feed.ts';
import { tickWakes } from './tick-wakes.ts';

/** What a watch cache is made of. */
interface WatchCacheOptions {
  readonly store: ObjectStore;
  /** Where this system's keys begin; nothing else may write in the store. */
  readonly prefix: string;
  /** Shorter than `settings.history`: how much history is kept in memory. */
  readonly historyMs?: number;
  readonly settings?: Partial<CacheSettings>;
  readonly log?: CacheLog;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** What is special about a resource to the cache. */
interface ResourceCacheOptions {
  /** The selectable fields beyond metadata.name and metadata.namespace. */
  readonly fieldsOf?: FieldsOf | undefined;
}

/** What can be counted of one resource. */
export interface ResourceCounts {
  readonly location: StorageLocation;
  readonly objects: number;
  /** Live watches. */
  readonly watches: number;
  /** Watches that were ended because their readers fell behind. */
  readonly cutWatches: number;
  readonly comparisons: ComparisonCounts;
}

/** How often old history is let go, and a warm resource that could not be filled is tried again. */
const upkeepIntervalMs = 1_000;

/**
 * The caches of all resources, fed by one watch over the store's prefix (design: invariants 2 to 5). Opens the watch on first
 * use and fills each resource on its own first use. `close` ends the watches of readers and the one on the store.
 */
export class WatchCache {
  readonly #resources = new Map<string, CachedResource>();
  readonly #warm = new Map<string, CachedResource>();
  readonly #around: CacheSurroundings;
  readonly #upkeepTimer: NodeJS.Timeout;
  readonly #resetListeners: ((cause: StorageError) => void)[] = [];
  readonly #checks: CacheChecks;

  constructor(options: WatchCacheOptions) {
    const { store, prefix, log = () => {}, now = () => performance.now() } = options;
    const settings = completeSettings(options);
    const feed = new StoreFeed({
      store,
      prefix: storePrefix(prefix),
      onEvents: (events) => this.#onEvents(events),
      onReset: (cause) => this.#onReset(cause),
      // Who asks for a write must have one that begins afterwards, as with reads.
      writeProgress: sharedRevisionReads(progressWrites(store, prefix)),
      silenceMs: settings.silenceMs,
      showTimeoutMs: settings.showTimeoutMs,
      log,
    });
    this.#around = {
      store,
      prefix,
      feed,
      storePrefix: storePrefix(prefix),
      sharedHistory: new SharedHistory(store, storePrefix(prefix)),
      latestRevision: sharedRevisionReads(() => feed.latestRevision()),
      settings,
      timers: new TimerWheel(settings.timerStepMs),
      wakeLater: tickWakes(),
      now,
      log,
      listBytes: new ListBytesCache(),
    };
    this.#upkeepTimer = setInterval(() => this.#upkeep(), upkeepIntervalMs);
    this.#upkeepTimer.unref();
    this.#checks = new CacheChecks({
      intervalMs: settings.checkIntervalMs,
      caches: () => [...this.#resources.values()],
    });
  }

  /** The newest revision that all caches have. */
  get revision(): number {
    return this.#around.feed.revision;
  }

  /** Live watches of all resources. */
  get watches(): number {
    return this.counts().reduce((sum, { watches }) => sum + watches, 0);
  }

  /** What can be counted, of each resource. */
  counts(): ResourceCounts[] {
    return [...this.#resources.values()].map((resource) => {
      const { location, counts } = resource;
      return { location, ...counts, comparisons: this.#checks.countsOf(resource) };
    });
  }

  /** Events that a faulty store sent twice. */
  get droppedEvents(): number {
    return this.#around.feed.droppedEvents;
  }

  /** Bytes of history that all resources keep together. */
  get historyBytes(): number {
    return [...this.#resources.values()].reduce((sum, { state }) => sum + (state?.log.bytes ?? 0), 0);
  }

  /** Bytes of lists that are kept for the next list with the same selection. */
  get listBytes(): number {
    return this.#around.listBytes.bytes;
  }

  /** How often the cache of a resource was found to differ from the store. */
  get mismatches(): number {
    return this.#checks.mismatches;
  }

  /** The cache of a resource. Options count on the first call for a location; rows that share a storage share the cache. */
  resource(location: StorageLocation, options: ResourceCacheOptions = {}): ResourceCache {
    const name = resourceSegment(location);
    const resource = this.#resources.get(name) ?? new CachedResource(this.#around, location, options.fieldsOf);
    this.#resources.set(name, resource);
    return resource;
  }

  /**
   * Forgets a resource that is served no more: ends its watches cleanly, and lets go of all that is kept of it. What is stored
   * stays. Who still has the cache reads past it.
   */
  remove(location: StorageLocation): void {
    const name = resourceSegment(location);
    const resource = this.#resources.get(name);
    if (!resource) return;
    resource.close();
    this.#checks.forget(resource);
    this.#resources.delete(name);
    this.#warm.delete(name);
  }

  /**
   * Keeps some resources filled; from now on `problems` waits for them. Resolves when they are filled, and rejects where that
   * fails, though it is tried again. Each must have been asked for by `resource` before, which knows its fields.
   */
  async warm(locations: Iterable<StorageLocation>): Promise<void> {
    for (const location of locations) {
      const name = resourceSegment(location);
      const resource = this.#resources.get(name);
      if (!resource) throw new TypeError(`${name}: resource() must be called before warm()`);
      this.#warm.set(name, resource);
    }
    await Promise.all([...this.#warm.values()].map((resource) => resource.fill()));
  }

  /** Calls `listener` each time that the history of the store is lost, after the caches are empty: it may be another store. */
  onReset(listener: (cause: StorageError) => void): void {
    this.#resetListeners.push(listener);
  }

  /** Why what is read from memory may be stale: the watch on the store has been broken for a while. Undefined while it works. */
  watchProblem(): string | undefined {
    const { feed, settings } = this.#around;
    const brokenMs = feed.brokenSince === undefined ? 0 : performance.now() - feed.brokenSince;
    if (brokenMs <= settings.staleAfterMs) return undefined;
    return `the watch on the store has been broken for ${Math.round(brokenMs / 1000)} s`;
  }

  /** Why the cache is not ready to serve; empty when it is. See `watchProblem` too. */
  problems(): readonly string[] {
    const problems: string[] = [];
    for (const [name, resource] of this.#warm) if (!resource.filled) problems.push(`${name} is not filled`);
    for (const [name, resource] of this.#resources) {
      if (resource.differs) problems.push(`${name} differed from the store and is being read anew`);
    }
    return problems;
  }

  /** Ends all watches cleanly and lets go of the store, which stays open. */
  async close(): Promise<void> {
    clearInterval(this.#upkeepTimer);
    this.#around.timers.close();
    this.#around.sharedHistory.close();
    for (const resource of this.#resources.values()) resource.close();
    await this.#checks.close();
    await this.#around.feed.close();
  }

  #onEvents(events: readonly StoreEvent[]): void {
    const start = this.#around.storePrefix.length;
    for (const event of events) {
      const key = keyOf(event);
      this.#resources.get(key.slice(start, key.indexOf('/', start)))?.apply(event);
    }
  }

  #onReset(cause: StorageError): void {
    for (const resource of this.#resources.values()) resource.reset(cause);
    for (const listener of this.#resetListeners) listener(cause);
  }

  #upkeep(): void {
    const states = [...this.#resources.values()].flatMap(({ state }) => state ?? []);
    const logs = states.map(({ log }) => log);
    const untilMs = forgetUntil(logs, this.#around.settings.historyBytes);
    for (const state of states) state.trim(untilMs);
    for (const resource of this.#warm.values()) resource.fillInBackground();
  }
}

function completeSettings({ settings, historyMs }: WatchCacheOptions): CacheSettings {
  const complete = { ...defaultCacheSettings, ...settings };
  return historyMs === undefined ? complete : { ...complete, history: { ...complete.history, historyMs } };
}
