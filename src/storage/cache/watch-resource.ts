import { nextTurn } from '../../async/yield-if-long.ts';
import { StorageError } from '../port/storage-error.ts';
import { isSelected } from './list-page.ts';
import { scanRange } from '../objects/yielding-scan.ts';
import type { KeyRange, ObjectTree } from '../objects/object-tree.ts';
import type { CacheEvent, CacheWatchQuery, FreshReadAt } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';
import type { ResourceState } from './resource-state.ts';
import type { Patience } from './waiting/revision-waiters.ts';
import type { HistoryBatch } from './store-history.ts';
import type { Subscriber } from './subscriber.ts';
import { inScope, type WatchScope } from './subscriptions.ts';

/** A state, and its revision when it was found fresh; it may have advanced since. */
export interface FreshState {
  readonly state: ResourceState;
  readonly revision: number;
}

/** The cached resource, as a watch uses it. */
export interface WatchedResource {
  /** Everything up to here has been dispatched. */
  readonly revision: number;
  /** How long a watch waits for the newest state. */
  readonly startTimeoutMs: number;
  /**
   * The state, at least as fresh as requested. Undefined if the newest is requested and the cache
   * does not reach it in time.
   */
  freshState(at: FreshReadAt, signal: AbortSignal, patience?: Patience): Promise<FreshState | undefined>;
  /** True if events still update this state. */
  isLive(state: ResourceState): boolean;
  /** Subscribes to live events until the signal aborts. */
  subscribe(query: CacheWatchQuery, scope: WatchScope, afterRevision: number, signal: AbortSignal): Subscriber;
  /** Tries to extend a state's history back to a revision; false if that fails. */
  extendHistory(state: ResourceState, revision: number, signal: AbortSignal): Promise<boolean>;
  /** The store's history, for one watch. */
  history(state: ResourceState, afterRevision: number, signal: AbortSignal): AsyncIterable<HistoryBatch>;
  /** Counts events that a watch gets before the live ones. */
  countInitialEvents(events: number): void;
  /** The key range of a watch or list. */
  rangeOf(namespace: string, name: string | undefined): KeyRange;
}

/**
 * Yields the batches before the live events; returns the subscription that has those, or undefined
 * if the watch ended.
 */
type Opening = AsyncGenerator<readonly CacheEvent[], Subscriber | undefined, undefined>;

/** Batches of events. */
type Batches = AsyncGenerator<readonly CacheEvent[], void, undefined>;

/** An empty batch, which confirms that the watch has started: its start can no longer fail. */
const begun: readonly CacheEvent[] = Object.freeze([]);

/** Maximum number of events that are filtered at once, and of initial events in one batch. */
const batchSize = 500;

/** Returns the events of a watch. It ends when the signal aborts, even while the reader is idle. */
export function watchResource(
  resource: WatchedResource,
  query: CacheWatchQuery,
  signal: AbortSignal,
): AsyncIterableIterator<readonly CacheEvent[]> {
  return new Watch(open(resource, query, signal));
}

/**
 * A watch that passes its reader to the subscription after the start, so that live events bypass
 * the generator.
 */
class Watch implements AsyncIterableIterator<readonly CacheEvent[]> {
  readonly #opening: Opening;
  #subscriber: Subscriber | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<readonly CacheEvent[], void>> {
    return this.#subscriber?.next() ?? this.#open();
  }

  async return(): Promise<IteratorResult<readonly CacheEvent[], void>> {
    await this.#opening.return(undefined);
    this.#subscriber?.close();
    return { done: true, value: undefined };
  }

  async #open(): Promise<IteratorResult<readonly CacheEvent[], void>> {
    const { done, value } = await this.#opening.next();
    if (!done) return { done, value };
    this.#subscriber = value;
    return this.#subscriber?.next() ?? { done: true, value: undefined };
  }
}

async function* open(resource: WatchedResource, query: CacheWatchQuery, signal: AbortSignal): Opening {
  if (signal.aborted) return undefined;
  try {
    const { start } = query;
    if (start.kind === 'after') return yield* after(resource, query, start.revision, signal);
    if (start.kind === 'now') return yield* fromNow(resource, query, start.at, signal);
    return yield* fromState(resource, query, start.at, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** The present state as ADDED events, then all changes after it. */
async function* fromState(
  resource: WatchedResource,
  query: CacheWatchQuery,
  at: FreshReadAt,
  signal: AbortSignal,
): Opening {
  const state = await liveState(resource, at, signal);
  // Synchronous up to the subscription: the snapshot and the subscription are at one revision.
  checkLive(resource, state);
  const { revision } = resource;
  const snapshot = state.snapshot();
  return yield* live(resource, query, revision, signal, initialState(resource, query, snapshot, revision, signal));
}

/** Only the changes after a state that is fresh enough. */
async function* fromNow(
  resource: WatchedResource,
  query: CacheWatchQuery,
  at: FreshReadAt,
  signal: AbortSignal,
): Opening {
  checkLive(resource, await liveState(resource, at, signal));
  return yield* live(resource, query, resource.revision, signal, []);
}

async function* initialState(
  resource: WatchedResource,
  query: CacheWatchQuery,
  snapshot: ObjectTree,
  revision: number,
  signal: AbortSignal,
): Batches {
  const range = resource.rangeOf(query.namespace, query.name);
  for await (const objects of scanRange(snapshot, range, signal)) {
    const selected = objects.filter((object) => isSelected(query, object));
    if (selected.length > 0) yield selected.map((object) => ({ type: 'ADDED', object }));
  }
  yield* initialBookmark(query, revision);
}

function* initialBookmark({ start }: CacheWatchQuery, revision: number): Generator<readonly CacheEvent[]> {
  if (start.kind !== 'state' || !start.bookmarkAfterState) return;
  yield [{ type: 'BOOKMARK', revision, initialEventsEnd: true }];
}

/**
 * The changes after a revision: from the store's history up to the start of the log, then from the
 * log.
 */
async function* after(
  resource: WatchedResource,
  query: CacheWatchQuery,
  revision: number,
  signal: AbortSignal,
): Opening {
  const state = await liveState(resource, { kind: 'any' }, signal);
  const scope = scopeOf(query);
  let reached = revision;
  if (reached < state.log.start && !(await resource.extendHistory(state, reached, signal))) {
    for await (const batch of resource.history(state, reached, signal)) {
      yield begun;
      yield* counted(resource, seenBatches(batch.events, query, scope));
      reached = batch.revision;
      if (reached >= state.log.start) break;
    }
  }
  if (signal.aborted) return undefined;
  checkLive(resource, state);
  if (reached < state.log.start) throw lostHistory(reached);
  // Synchronous up to the subscription, so that there is no gap between the log and the live
  // events.
  const missed = seenBatches(state.log.between(reached), query, scope);
  return yield* live(resource, query, Math.max(reached, resource.revision), signal, missed);
}

/**
 * Yields the earlier batches, then returns the subscription to live events. It ends with the
 * signal, even while the reader is idle.
 */
async function* live(
  resource: WatchedResource,
  query: CacheWatchQuery,
  afterRevision: number,
  signal: AbortSignal,
  before: AsyncIterable<readonly CacheEvent[]> | Iterable<readonly CacheEvent[]>,
): Opening {
  const subscriber = resource.subscribe(query, scopeOf(query), afterRevision, signal);
  let opened = false;
  try {
    yield begun;
    for await (const batch of counted(resource, before)) {
      if (signal.aborted) return undefined;
      yield batch;
    }
    opened = true;
    return subscriber;
  } finally {
    if (!opened) subscriber.close();
  }
}

/** Counts the events of batches that precede the live events. */
async function* counted(
  resource: WatchedResource,
  batches: AsyncIterable<readonly CacheEvent[]> | Iterable<readonly CacheEvent[]>,
): Batches {
  for await (const batch of batches) {
    if (batch[0]?.type !== 'BOOKMARK') resource.countInitialEvents(batch.length);
    yield batch;
  }
}

/** A reset may happen between the promise's resolution and its continuation. */
function checkLive(resource: WatchedResource, state: ResourceState): void {
  if (!resource.isLive(state)) throw lostHistory(resource.revision);
}

/**
 * Waits for a state that is live. A list can read from a store that is ahead of the cache; a watch
 * must wait, because its events come from the cache.
 */
async function liveState(resource: WatchedResource, at: FreshReadAt, signal: AbortSignal): Promise<ResourceState> {
  for (;;) {
    const patience = at.kind === 'latest' ? { timeoutMs: resource.startTimeoutMs } : undefined;
    const fresh = await resource.freshState(at, signal, patience);
    if (!fresh) throw lagging(resource.revision);
    if (resource.isLive(fresh.state)) return fresh.state;
  }
}

function seen(events: readonly ResourceEvent[], query: CacheWatchQuery, scope: WatchScope): CacheEvent[] {
  const startRevision = query.start.kind === 'after' ? query.start.revision : undefined;
  return events
    .filter((event) => inScope(scope, event))
    .map((event) => event.seenBy(query.filter, startRevision))
    .filter((event) => event !== undefined);
}

/**
 * The events that a watch selects, in batches. Yields to the event loop between them, because a
 * selector decodes an object on its first match.
 */
async function* seenBatches(events: readonly ResourceEvent[], query: CacheWatchQuery, scope: WatchScope): Batches {
  for (let from = 0; from < events.length; from += batchSize) {
    if (from > 0) await nextTurn();
    const batch = seen(events.slice(from, from + batchSize), query, scope);
    if (batch.length > 0) yield batch;
  }
}

function scopeOf({ namespace, name }: CacheWatchQuery): WatchScope {
  return { namespace, name: name ?? '' };
}

/** FutureRevision: clients wait a little and retry. */
function lagging(revision: number): StorageError {
  return new StorageError('FutureRevision', 'the watch cache lags behind the store', { revision });
}

function lostHistory(revision: number): StorageError {
  return new StorageError('Compacted', `the changes after revision ${revision} are no longer available`);
}
