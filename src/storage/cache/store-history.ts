import { compacted } from '../port/check-arguments.ts';
import {
  type ObjectStore,
  type StoredValue,
  type StoreEvent,
  type WatchBatch,
  keyOf,
  revisionOf,
} from '../port/object-store.ts';
import { type Damage, damageSince, unknownDamage } from './damage.ts';
import { ResourceEvent } from './resource-event.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { splitObjectKey } from '../port/object-key.ts';
import { isSealed, openedEvents } from '../port/sealed-events.ts';

/** Dependencies for converting the store's history to a resource's. */
interface HistoryContext {
  /** The prefix of the resource's keys. */
  readonly resourcePrefix: string;
  readonly read: (stored: StoredValue) => CachedObject | undefined;
  readonly now: () => number;
  /** The values that cannot be read at this place of the history, by key; updated by each event. */
  readonly damages: Map<string, Damage>;
}

interface StoreHistoryOptions extends HistoryContext {
  readonly store: ObjectStore;
  /**
   * The watched prefix: the prefix of the resource, or of the whole store if the resource's own
   * events do not show when the end is reached.
   */
  readonly watchedPrefix: string;
  readonly afterRevision: number;
  readonly signal: AbortSignal;
}

/** Changes of a resource in whole revisions; all up to `revision` have been delivered. */
export interface HistoryBatch {
  readonly revision: number;
  readonly events: readonly ResourceEvent[];
}

/**
 * The changes of a resource from the store's history, for watches that start before the cache's
 * log.
 */
export async function* storeHistory(options: StoreHistoryOptions): AsyncGenerator<HistoryBatch, void, undefined> {
  const { store, watchedPrefix, afterRevision, signal } = options;
  for await (const { revision, events } of store.watch(watchedPrefix, { afterRevision, sealed: true, signal })) {
    // The first batch only confirms the watch; it does not prove that the history exists.
    if (revision === afterRevision) continue;
    const own = events.filter((event) => keyOf(event).startsWith(options.resourcePrefix));
    yield historyBatch({ revision, events: own.some(isSealed) ? await openedEvents(own) : own }, options);
  }
}

/**
 * Converts a batch of the store to the changes of a resource. Throws Compacted if previous values
 * are lost.
 */
export function historyBatch({ revision, events }: WatchBatch, context: HistoryContext): HistoryBatch {
  const own = events
    .filter((event) => keyOf(event).startsWith(context.resourcePrefix))
    .map((event) => historyEvent(event, context))
    .filter((event) => event !== undefined);
  return { revision, events: own };
}

/**
 * Uses the store's previous value. If it is lost, the event type for a filtered watch cannot be
 * determined.
 */
function historyEvent(
  event: StoreEvent,
  { resourcePrefix, read, now, damages }: HistoryContext,
): ResourceEvent | undefined {
  const revision = revisionOf(event);
  const key = keyOf(event);
  const isCreation = event.type === 'put' && event.created;
  if (!isCreation && !event.previous) throw compacted(revision, revision);
  const previous = event.previous && read(event.previous);
  const current = event.type === 'put' ? read(event.current) : undefined;
  const damage = event.previous && !previous ? (damages.get(key) ?? unknownDamage(revision)) : undefined;
  const hidden = event.type === 'put' && !current;
  if (hidden) damages.set(key, damage ?? damageSince(revision, previous));
  else damages.delete(key);
  if (!previous && !current && (hidden || !damage)) return undefined;
  const names = damage && splitObjectKey(resourcePrefix, key);
  return new ResourceEvent({ key, revision, atMs: now(), current, previous, damage, hidden, names });
}
