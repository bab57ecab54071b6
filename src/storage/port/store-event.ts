import type { StoreEvent } from './object-store.ts';

/** The revision of an event. */
export function revisionOf(event: StoreEvent): number {
  return event.type === 'put' ? event.current.revision : event.revision;
}

/** The key of an event. */
export function keyOf(event: StoreEvent): string {
  return event.type === 'put' ? event.current.key : event.key;
}
