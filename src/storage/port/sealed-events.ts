import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { StoredValue, StoreEvent } from './object-store.ts';

/** True for an event with an encrypted value (`WatchOptions.sealed`). */
export function isSealed(event: StoreEvent): boolean {
  return event.previous?.open !== undefined || (event.type === 'put' && event.current.open !== undefined);
}

/** Decrypts the values of an event. Rejects with Unavailable if a key is unavailable. */
export function openedEvent(event: StoreEvent): MaybePromise<StoreEvent> {
  return andThen(opened(event.previous), (previous) => {
    if (event.type === 'delete') return { ...event, previous };
    return andThen(event.current.open?.() ?? event.current, (current) => ({ ...event, previous, current }));
  });
}

/**
 * Decrypts the values of an event; undefined if that fails synchronously for any reason. A failure
 * then delays only the resource of the event, not the watch of all.
 */
export function tryToOpen(event: StoreEvent): MaybePromise<StoreEvent> | undefined {
  try {
    return openedEvent(event);
  } catch {
    return undefined;
  }
}

/** Decrypts the values of events synchronously; undefined if a key must be waited for. */
export function openedAtOnce(events: readonly StoreEvent[]): readonly StoreEvent[] | undefined {
  const result: StoreEvent[] = [];
  for (const event of events) {
    const plain = isSealed(event) ? tryToOpen(event) : event;
    if (plain instanceof Promise) plain.catch(() => undefined);
    if (!plain || plain instanceof Promise) return undefined;
    result.push(plain);
  }
  return result;
}

/** Decrypts the values of events, one after the other. */
export async function openedEvents(events: readonly StoreEvent[]): Promise<readonly StoreEvent[]> {
  const result: StoreEvent[] = [];
  for (const event of events) result.push(isSealed(event) ? await openedEvent(event) : event);
  return result;
}

function opened(stored: StoredValue | undefined): MaybePromise<StoredValue | undefined> {
  return stored?.open ? stored.open() : stored;
}
