import { compacted } from './check-arguments.ts';
import type { ObjectStore, StoredValue, StoreEvent, WatchBatch } from './object-store.ts';
import { ResourceEvent } from './resource-event.ts';
import type { SplicedObject } from './spliced-object.ts';
import { keyOf, revisionOf } from './store-event.ts';

/** How the store's history becomes a resource's. */
interface HistoryContext {
  /** What the keys of the resource begin with. */
  readonly resourcePrefix: string;
  readonly read: (stored: StoredValue) => SplicedObject | undefined;
  readonly now: () => number;
}

interface StoreHistoryOptions extends HistoryContext {
  readonly store: ObjectStore;
  /** What is watched: the resource's prefix, or that of the whole store where silence must be told from distance. */
  readonly watchedPrefix: string;
  readonly afterRevision: number;
  readonly signal: AbortSignal;
}

/** Changes of a resource in whole revisions; all up to `revision` have been told. */
export interface HistoryBatch {
  readonly revision: number;
  readonly events: readonly ResourceEvent[];
}

/** The changes of a resource as the store remembers them, for watches that begin before the cache's own history. */
export async function* storeHistory(options: StoreHistoryOptions): AsyncGenerator<HistoryBatch, void, undefined> {
  const { store, watchedPrefix, afterRevision, signal } = options;
  for await (const batch of store.watch(watchedPrefix, { afterRevision, signal })) {
    // That the watch is accepted does not say that the history is there.
    if (batch.revision === afterRevision) continue;
    yield historyBatch(batch, options);
  }
}

/** What a batch of the store shows of a resource. Throws Compacted where values from before changes are lost. */
export function historyBatch({ revision, events }: WatchBatch, context: HistoryContext): HistoryBatch {
  const own = events
    .filter((event) => keyOf(event).startsWith(context.resourcePrefix))
    .map((event) => historyEvent(event, context))
    .filter((event) => event !== undefined);
  return { revision, events: own };
}

/** The store's previous value stands for the cache's. Where it is lost, nobody can tell what a watcher has seen of the object. */
function historyEvent(event: StoreEvent, { read, now }: HistoryContext): ResourceEvent | undefined {
  const revision = revisionOf(event);
  const isCreation = event.type === 'put' && event.created;
  if (!isCreation && !event.previous) throw compacted(revision, revision);
  const previous = event.previous && read(event.previous);
  const current = event.type === 'put' ? read(event.current) : undefined;
  if (!previous && !current) return undefined;
  return new ResourceEvent({ key: keyOf(event), revision, atMs: now(), current, previous });
}
