import { abortable } from '../port/abortable.ts';
import type { CheckedCache, Comparison } from './cache-checks.ts';
import { digestBoth, isSameDigest } from './cache-digest.ts';
import type { CacheCounts } from './cache-counts.ts';
import type { CacheSettings } from './cache-settings.ts';
import { futureRevision } from '../port/check-arguments.ts';
import type { CachedObject, Suggestion } from '../objects/cached-object.ts';
import { DirectReads } from './direct-reads.ts';
import type { ListBytesCache } from '../objects/list-bytes-cache.ts';
import type { PageQuery } from './list-page.ts';
import { keyInResource, objectsPrefix, type StorageLocation } from '../port/object-key.ts';
import type { EncodingBudget } from '../objects/encoding-budget.ts';
import { ObjectReader } from '../objects/object-reader.ts';
import type { ObjectStore, StoredValue, StoreEvent } from '../port/object-store.ts';
import { everything, type KeyRange, objectsIn } from '../objects/object-tree.ts';
import { planBookmarks } from './bookmarks.ts';
import type { TimerWheel } from '../../async/timer-wheel.ts';
import { pageQueryOf, queryKeyRange } from './query-key-range.ts';
import type {
  CacheEvent,
  CacheFollower,
  CacheGet,
  CacheList,
  CacheListQuery,
  CacheWatchQuery,
  FreshReadAt,
  ReadAt,
  ResourceCache,
} from './resource-cache.ts';
import { InitialList } from './initial-list.ts';
import { ResourceHistory } from './resource-history.ts';
import type { ResourceState } from './resource-state.ts';
import type { ReadRevision } from '../port/revision-reads.ts';
import type { Patience } from './waiting/revision-waiters.ts';
import type { ResourceReading } from '../objects/resource-reading.ts';
import type { SharedHistory } from './shared-history.ts';
import { StorageError, type StorageLog } from '../port/storage-error.ts';
import type { Reflector } from './reflector.ts';
import type { HistoryBatch } from './store-history.ts';
import { SealedQueue } from './waiting/sealed-queue.ts';
import { Subscriber } from './subscriber.ts';
import { Subscriptions, type WatchScope } from './subscriptions.ts';
import { type FreshState, watchResource, type WatchedResource } from './watch-resource.ts';

/** Dependencies that all resources of one watch cache share. */
export interface CacheContext {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly reflector: Reflector;
  /** The prefix of all keys; ends in `/`. */
  readonly storePrefix: string;
  readonly latestRevision: ReadRevision;
  readonly sharedHistory: SharedHistory;
  readonly settings: CacheSettings;
  readonly timers: TimerWheel;
  readonly wakeLater: (subscriber: Subscriber) => void;
  readonly now: () => number;
  readonly log: StorageLog;
  readonly listBytes: ListBytesCache;
  readonly encodings: EncodingBudget;
  /** The queues of all resources whose events wait for decryption keys. */
  readonly sealed: Set<SealedQueue>;
}

/**
 * The cache of one resource. It is filled on first use, then updated by the reflector's events. A
 * reset of the reflector empties it.
 */
export class CachedResource implements ResourceCache, WatchedResource, CheckedCache {
  readonly location: StorageLocation;
  readonly #context: CacheContext;
  readonly #reader: ObjectReader;
  readonly #prefix: string;
  readonly #direct: DirectReads;
  readonly #subscriptions = new Subscriptions();
  readonly #history: ResourceHistory;
  readonly #fill: InitialList;
  readonly #sealed: SealedQueue;
  #state: ResourceState | undefined;
  readonly #followers = new Set<CacheFollower>();
  #differs = false;
  #closed = false;
  #cutWatches = 0;
  #initialEvents = 0;
  #events = 0;
  #fills = 0;
  #lists = 0;
  #listedObjects = 0;

  constructor(around: CacheContext, location: StorageLocation, options: ResourceReading) {
    this.location = location;
    this.#context = around;
    this.#prefix = objectsPrefix(around.prefix, location, '');
    this.#reader = new ObjectReader(this.#prefix, options, around.log, around.encodings);
    const { read, onCorrupt } = this.#reader;
    this.#direct = new DirectReads({ store: around.store, read, onCorrupt });
    const { store, storePrefix, reflector, sharedHistory, settings, now, listBytes } = around;
    this.#history = new ResourceHistory({
      store,
      resourcePrefix: this.#prefix,
      storePrefix,
      reflector,
      shared: sharedHistory,
      read: this.#reader.tryRead,
      now,
      patienceMs: settings.watchStartTimeoutMs,
    });
    this.#sealed = new SealedQueue({
      apply: (event) => this.#apply(event),
      waiting: around.sealed,
      onOverflow: (cause) => {
        this.#fill.lost();
        this.reset(cause);
      },
      prefix: this.#prefix,
      log: around.log,
    });
    this.#fill = new InitialList({
      store,
      reflector,
      settings,
      now,
      prefix: this.#prefix,
      reader: this.#reader,
      listBytes,
      adopt: (state) => {
        if (this.#closed) return;
        this.#state = state;
        this.#fills++;
        for (const follower of this.#followers) follower.replace(objectsIn(state.snapshot(), everything));
      },
    });
  }

  get revision(): number {
    return Math.max(Math.min(this.#context.reflector.revision, this.#sealed.revision), this.#state?.filledAt ?? 0);
  }

  get startTimeoutMs(): number {
    return this.#context.settings.watchStartTimeoutMs;
  }

  /** True if the cache is filled. */
  get filled(): boolean {
    return this.#state !== undefined;
  }

  /** True if the last comparison found the cache different from the store. */
  get differs(): boolean {
    return this.#differs;
  }

  /** The metrics of this cache. */
  get counts(): CacheCounts {
    return {
      objects: this.#state?.size ?? 0,
      watches: this.#subscriptions.size,
      cutWatches: this.#cutWatches,
      decodeErrors: this.#reader.errors,
      initialEvents: this.#initialEvents,
      capacity: this.#context.settings.history.events,
      events: this.#events,
      fills: this.#fills,
      lists: this.#lists,
      listedObjects: this.#listedObjects,
      revision: this.#state ? this.revision : 0,
    };
  }

  countInitialEvents(events: number): void {
    this.#initialEvents += events;
  }

  async get(namespace: string, name: string, at: ReadAt, signal?: AbortSignal): Promise<CacheGet> {
    const key = keyInResource(this.#prefix, namespace, name);
    if (at.kind === 'exact') return this.#getExact(key, at.revision, signal);
    // A get of one object does not wait for the whole resource to be read.
    if (!this.#state && at.kind !== 'notOlderThan') {
      this.fillInBackground();
      return this.#direct.get(key, undefined, signal);
    }
    // Fast path: usually the state exists and is fresh enough, so that the read awaits one promise.
    const state = at.kind === 'latest' && !signal ? this.#state : undefined;
    const wanted = state ? await this.#context.latestRevision() : 0;
    if (state && this.#state === state && this.revision >= wanted) return state.read(key, this.revision);
    const fresh = await this.freshState(at, signal, this.#patience(at, this.#context.settings.objectPatienceMs));
    return fresh ? fresh.state.read(key, fresh.revision) : this.#direct.get(key, undefined, signal);
  }

  async list(query: CacheListQuery, signal?: AbortSignal): Promise<CacheList> {
    const page = pageQueryOf(this.#prefix, query);
    if (query.at.kind === 'exact') return this.#listExact(page, query.at.revision, signal);
    const fresh = await this.freshState(query.at, signal);
    if (!fresh) return this.#direct.list(page, undefined, signal);
    return this.#listCached(fresh.state, fresh.revision, page, signal);
  }

  async #listCached(
    state: ResourceState,
    revision: number,
    page: PageQuery,
    signal: AbortSignal | undefined,
  ): Promise<CacheList> {
    const list = await state.list(revision, page, signal);
    this.#lists++;
    this.#listedObjects += list.objects.length;
    return list;
  }

  watch(query: CacheWatchQuery, signal: AbortSignal): AsyncIterable<readonly CacheEvent[]> {
    return watchResource(this, query, this.#closed ? AbortSignal.abort() : signal);
  }

  peek(namespace: string, name: string): CachedObject | undefined {
    return this.#state?.peek(keyInResource(this.#prefix, namespace, name));
  }

  suggest(namespace: string, name: string): Suggestion | undefined {
    const { session } = this.#context.reflector;
    if (this.#state) return { object: this.#state.suggest(keyInResource(this.#prefix, namespace, name)), session };
    this.fillInBackground();
    return undefined;
  }

  follow(follower: CacheFollower): void {
    this.#followers.add(follower);
    if (this.#state) follower.replace(objectsIn(this.#state.snapshot(), everything));
    else this.fillInBackground();
  }

  fresh(at: FreshReadAt, signal: AbortSignal): Promise<void> | undefined {
    return this.#state && at.kind === 'any' ? undefined : this.#freshen(at, signal);
  }

  async #freshen(at: FreshReadAt, signal: AbortSignal): Promise<void> {
    if (await this.freshState(at, signal)) return;
    throw new StorageError('Unavailable', 'the watch cache is behind the store');
  }

  written(stored: StoredValue): CachedObject {
    return this.#state?.written(stored) ?? this.#reader.readOwn(stored);
  }

  async freshState(
    at: FreshReadAt,
    signal: AbortSignal | undefined,
    patience = this.#patience(at),
  ): Promise<FreshState | undefined> {
    const { reflector, latestRevision } = this.#context;
    for (;;) {
      if (this.#closed) return undefined;
      const state = this.#state ?? (await abortable(this.#filled(at), signal));
      if (!state) return undefined;
      if (this.#state !== state) continue;
      if (at.kind === 'any') return { state, revision: this.revision };
      const wanted = at.kind === 'latest' ? await abortable(latestRevision(), signal) : at.revision;
      if (this.#state !== state) continue;
      if (wanted === Infinity && !patience.untilBroken) {
        if (!(await reflector.becomesSound(patience, signal))) return undefined;
        continue;
      }
      const fresh = this.revision >= wanted || (await this.#reaches(wanted, patience, signal));
      if (this.#state !== state) continue;
      if (fresh) return { state, revision: this.revision };
      if (at.kind === 'latest') return undefined;
      throw futureRevision(wanted, this.revision);
    }
  }

  /** Waits until the reflector has delivered a revision, and all values up to it are decrypted. */
  async #reaches(revision: number, patience: Patience, signal: AbortSignal | undefined): Promise<boolean> {
    if (!(await this.#context.reflector.reaches(revision, patience, signal))) return false;
    return this.revision >= revision || (await this.#sealed.reaches(revision, patience, signal));
  }

  /** The state; undefined if it cannot be filled at present, and the read can ask the store. */
  async #filled({ kind }: FreshReadAt): Promise<ResourceState | undefined> {
    try {
      return await this.fill();
    } catch (error) {
      const mayAsk = kind !== 'notOlderThan' && error instanceof StorageError && error.code === 'SessionEnded';
      if (mayAsk) return undefined;
      throw error;
    }
  }

  /**
   * How long a read waits. Reads of the newest state stop waiting when the reflector breaks,
   * because they can read the store.
   */
  #patience({ kind }: Pick<ReadAt, 'kind'>, latestMs?: number): Patience {
    const { freshnessTimeoutMs } = this.#context.settings;
    if (kind !== 'latest') return { timeoutMs: freshnessTimeoutMs };
    return { timeoutMs: latestMs ?? freshnessTimeoutMs, untilBroken: true };
  }

  isLive(state: ResourceState): boolean {
    return this.#state === state;
  }

  subscribe(query: CacheWatchQuery, scope: WatchScope, afterRevision: number, signal: AbortSignal): Subscriber {
    const { settings, timers, wakeLater } = this.#context;
    let stopBookmarks: (() => void) | undefined;
    const subscriber = new Subscriber({
      filter: query.filter,
      afterRevision,
      startRevision: query.start.kind === 'after' ? query.start.revision : afterRevision,
      budgetBytes: settings.watchBudgetBytes,
      wakeLater,
      signal,
      onEnd: (ended) => {
        this.#subscriptions.remove(scope, ended);
        if (ended.cutOff) this.#cutWatches++;
        stopBookmarks?.();
      },
    });
    this.#subscriptions.add(scope, subscriber);
    if (query.bookmarks) {
      const send = () => subscriber.bookmark(this.revision);
      const { timeoutMs } = query;
      stopBookmarks = planBookmarks({ timers, intervalMs: settings.bookmarkIntervalMs, timeoutMs, send });
    }
    return subscriber;
  }

  extendHistory(state: ResourceState, revision: number, signal: AbortSignal): Promise<boolean> {
    return this.#state === state ? this.#history.extend(state, revision, signal) : Promise.resolve(false);
  }

  history(state: ResourceState, afterRevision: number, signal: AbortSignal): AsyncIterable<HistoryBatch> {
    return this.#history.read(state, afterRevision, signal);
  }

  rangeOf(namespace: string, name: string | undefined): KeyRange {
    return queryKeyRange(this.#prefix, namespace, name);
  }

  /** Applies one event of the reflector. */
  apply(event: StoreEvent): void {
    if (this.#state || this.#fill.running) this.#sealed.take(event);
  }

  #apply(event: StoreEvent): void {
    this.#fill.take(event);
    const change = this.#state?.apply(event);
    if (!change) return;
    this.#events++;
    for (const follower of this.#followers) follower.change(change.key, change.current);
    this.#subscriptions.dispatch(change);
  }

  /**
   * Drops the state and ends the watches, because the history behind them is lost. A filled cache
   * is filled again.
   */
  reset(cause: StorageError): void {
    const refill = this.#state !== undefined;
    this.#sealed.clear();
    this.#state?.end();
    this.#state = undefined;
    this.#subscriptions.endAll(cause);
    if (refill) this.fillInBackground();
  }

  /**
   * Called when values may have become readable, for example by another key. If some values could
   * not be decoded, the resource is read again, and clients list again.
   */
  retryUnreadable(): void {
    if (this.#fill.running) this.#fill.lost();
    if (!this.#state?.hasUnreadable) return;
    this.reset(new StorageError('Compacted', `values under ${this.#prefix} could not be read and are read again`));
  }

  /**
   * Called when the store is known to have the history up to `revision`, but no longer the state
   * that was listed beyond it: the store may have been restored since.
   */
  keepUpTo(revision: number): void {
    const { reflector } = this.#context;
    if (!this.#state || this.#state.filledAt <= revision || this.#state.session === reflector.session) return;
    this.reset(new StorageError('Compacted', `the store was not seen to be the same after revision ${revision}`));
  }

  /**
   * Compares the state with the store's at the same revision. A state that differs is dropped and
   * read again.
   */
  async compare(signal: AbortSignal): Promise<Comparison | undefined> {
    const state = this.#state;
    if (!state) return undefined;
    const { revision } = this;
    try {
      const digests = await digestBoth(
        {
          store: this.#context.store,
          prefix: this.#prefix,
          revision,
          tree: state.snapshot(),
        },
        signal,
      );
      // The state was dropped during the comparison, so the result does not matter.
      if (this.#state !== state) return undefined;
      const same = isSameDigest(digests.cache, digests.store);
      this.#differs = !same;
      if (!same) {
        this.#context.log(
          "the watch cache differs from the store; clients' watches end with 410 and the resource is reloaded",
          {
            prefix: this.#prefix,
            revision,
            ...digests,
          },
        );
        this.reset(new StorageError('Compacted', `the watch cache differed from the store at revision ${revision}`));
      }
      return same ? 'success' : 'failure';
    } catch (error) {
      // Compacted or unavailable: the result is unknown. The next round tries again.
      if (error instanceof StorageError) return 'error';
      throw error;
    }
  }

  /** The state of a filled cache. */
  get state(): ResourceState | undefined {
    return this.#state;
  }

  /**
   * Ends the watches cleanly and drops the state. Afterwards reads go to the store, and new watches
   * end at once.
   */
  close(): void {
    this.#closed = true;
    this.#history.close();
    this.#sealed.clear();
    this.#subscriptions.endAll();
    this.#state?.end();
    this.#state = undefined;
    this.#followers.clear();
  }

  /** Fills the cache unless it is filled; concurrent callers share one fill. */
  fill(): Promise<ResourceState> {
    return this.#state ? Promise.resolve(this.#state) : this.#fill.run();
  }

  /** Fills the cache unless it is filled; failures are only logged. */
  fillInBackground(): void {
    if (this.#state || this.#fill.running || this.#closed) return;
    this.fill().catch((error: unknown) => {
      this.#context.log('a resource could not be loaded into the watch cache; the next request for it tries again', {
        prefix: this.#prefix,
        error,
      });
    });
  }

  async #getExact(key: string, revision: number, signal: AbortSignal | undefined): Promise<CacheGet> {
    const state = await this.#stateWith(revision, signal);
    if (!state) return this.#direct.get(key, revision, signal);
    return { object: state.snapshotAt(revision).get(key), revision };
  }

  async #listExact(page: PageQuery, revision: number, signal: AbortSignal | undefined): Promise<CacheList> {
    const state = await this.#stateWith(revision, signal);
    return state ? this.#listCached(state, revision, page, signal) : this.#direct.list(page, revision, signal);
  }

  /** The state, if it covers the revision; undefined if only the store can answer. */
  async #stateWith(revision: number, signal: AbortSignal | undefined): Promise<ResourceState | undefined> {
    const { reflector } = this.#context;
    reflector.start();
    if (this.revision < revision && !(await reflector.reaches(revision, this.#patience({ kind: 'exact' }), signal))) {
      throw futureRevision(revision, this.revision);
    }
    const state = this.#state;
    return state && state.log.start <= revision && this.revision >= revision ? state : undefined;
  }
}
