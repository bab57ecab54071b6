import { StorageError } from './storage-error.ts';
import { isSelected } from './list-page.ts';
import { turns } from './turns.ts';
import type { KeyRange, ObjectTree } from './object-tree.ts';
import type { CacheEvent, CacheWatchQuery, FreshReadAt } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';
import type { ResourceState } from './resource-state.ts';
import type { HistoryBatch } from './store-history.ts';
import type { Subscriber } from './subscriber.ts';
import { inScope, type WatchScope } from './subscriptions.ts';

/** A state, and the revision that it had when it was found fresh; it may have moved on since. */
export interface FreshState {
  readonly state: ResourceState;
  readonly revision: number;
}

/** What a watch needs of its resource. */
export interface WatchedResource {
  /** Everything up to here has been dispatched. */
  readonly revision: number;
  /** The state, at least as fresh as asked; undefined where the cache lags and the store has to be asked. */
  freshState(at: FreshReadAt, signal: AbortSignal): Promise<FreshState | undefined>;
  /** Whether events still move this state on. */
  isLive(state: ResourceState): boolean;
  subscribe(query: CacheWatchQuery, scope: WatchScope, afterRevision: number): Subscriber;
  /** Whether the history of a state could be made to begin at a revision. */
  extendHistory(state: ResourceState, revision: number, signal: AbortSignal): Promise<boolean>;
  /** The store's history, for one watch. */
  history(state: ResourceState, afterRevision: number, signal: AbortSignal): AsyncIterable<HistoryBatch>;
  /** The keys that a watch or list may look at. */
  rangeOf(namespace: string, name: string | undefined): KeyRange;
}

type Batches = AsyncGenerator<readonly CacheEvent[], void, undefined>;

/** Says that a watch has begun: nothing can be wrong with its start any more. */
const begun: readonly CacheEvent[] = Object.freeze([]);

/** Events that are sent in one batch when there are many at once, as at the start of a watch. */
const batchSize = 500;

/** The events of a watch. Ends when the signal aborts, whether or not the reader is waiting. */
export async function* watchResource(resource: WatchedResource, query: CacheWatchQuery, signal: AbortSignal): Batches {
  if (signal.aborted) return;
  try {
    const { start } = query;
    if (start.kind === 'after') yield* after(resource, query, start.revision, signal);
    else if (start.kind === 'now') yield* fromNow(resource, query, start.at, signal);
    else yield* fromState(resource, query, start.at, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The state first, as ADDED events, then the changes from exactly there. */
async function* fromState(
  resource: WatchedResource,
  query: CacheWatchQuery,
  at: FreshReadAt,
  signal: AbortSignal,
): Batches {
  const state = await liveState(resource, at, signal);
  // From here to the subscription nothing may wait: both are of one revision.
  checkLive(resource, state);
  const { revision } = resource;
  const snapshot = state.snapshot();
  yield* live(resource, query, revision, signal, initialState(resource, query, snapshot, revision, signal));
}

/** Only the changes after the state that is fresh enough. */
async function* fromNow(
  resource: WatchedResource,
  query: CacheWatchQuery,
  at: FreshReadAt,
  signal: AbortSignal,
): Batches {
  checkLive(resource, await liveState(resource, at, signal));
  yield* live(resource, query, resource.revision, signal, []);
}

async function* initialState(
  resource: WatchedResource,
  query: CacheWatchQuery,
  snapshot: ObjectTree,
  revision: number,
  signal: AbortSignal,
): Batches {
  const range = resource.rangeOf(query.namespace, query.name);
  for await (const objects of turns(snapshot, range, signal)) {
    const selected = objects.filter((object) => isSelected(query, object));
    if (selected.length > 0) yield selected.map((object) => ({ type: 'ADDED', object }));
  }
  yield* initialBookmark(query, revision);
}

function* initialBookmark({ start }: CacheWatchQuery, revision: number): Generator<readonly CacheEvent[]> {
  if (start.kind !== 'state' || !start.bookmarkAfterState) return;
  yield [{ type: 'BOOKMARK', revision, initialEventsEnd: true }];
}

/** The changes after a revision: from the store's history until the cache's reaches back far enough, then from there. */
async function* after(
  resource: WatchedResource,
  query: CacheWatchQuery,
  revision: number,
  signal: AbortSignal,
): Batches {
  const state = await liveState(resource, { kind: 'any' }, signal);
  const scope = scopeOf(query);
  let reached = revision;
  if (reached < state.log.start && !(await resource.extendHistory(state, reached, signal))) {
    for await (const batch of resource.history(state, reached, signal)) {
      yield begun;
      yield* inBatches(seen(batch.events, query, scope));
      reached = batch.revision;
      if (reached >= state.log.start) break;
    }
  }
  if (signal.aborted) return;
  checkLive(resource, state);
  if (reached < state.log.start) throw lostHistory(reached);
  // From here to the subscription nothing may wait: the log and the live events meet without a gap.
  const missed = seen(state.log.between(reached), query, scope);
  yield* live(resource, query, Math.max(reached, resource.revision), signal, inBatches(missed));
}

/** What came before, then what is dispatched from now on. The subscription ends with the signal, read or not. */
async function* live(
  resource: WatchedResource,
  query: CacheWatchQuery,
  afterRevision: number,
  signal: AbortSignal,
  before: AsyncIterable<readonly CacheEvent[]> | Iterable<readonly CacheEvent[]>,
): Batches {
  const subscriber = resource.subscribe(query, scopeOf(query), afterRevision);
  const close = () => subscriber.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    yield begun;
    for await (const batch of before) {
      if (signal.aborted) return;
      yield batch;
    }
    yield* subscriber.batches();
  } finally {
    signal.removeEventListener('abort', close);
    subscriber.close();
  }
}

/** A reset may come between an answer and whoever awaits it. */
function checkLive(resource: WatchedResource, state: ResourceState): void {
  if (!resource.isLive(state)) throw lostHistory(resource.revision);
}

/** A state that is still live when it is found. */
async function liveState(resource: WatchedResource, at: FreshReadAt, signal: AbortSignal): Promise<ResourceState> {
  for (;;) {
    const fresh = await resource.freshState(at, signal);
    if (!fresh) throw new StorageError('Unavailable', 'the watch cache lags behind the store');
    if (resource.isLive(fresh.state)) return fresh.state;
  }
}

function seen(events: readonly ResourceEvent[], query: CacheWatchQuery, scope: WatchScope): CacheEvent[] {
  return events
    .filter((event) => inScope(scope, event))
    .map((event) => event.seenBy(query.filter))
    .filter((event) => event !== undefined);
}

function* inBatches(events: readonly CacheEvent[]): Generator<readonly CacheEvent[]> {
  for (let from = 0; from < events.length; from += batchSize) yield events.slice(from, from + batchSize);
}

function scopeOf({ namespace, name }: CacheWatchQuery): WatchScope {
  return { namespace, name: name ?? '' };
}

function lostHistory(revision: number): StorageError {
  return new StorageError('Compacted', `the changes after revision ${revision} are no longer known`);
}
