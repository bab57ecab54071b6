import { randomUUID } from 'node:crypto';
import { isInternalKey } from './object-key.ts';
import type { StoreEvent } from './object-store.ts';

/** The beginning of the values of `uniqueValue`. */
const front = '{"writeID":"';
/** The length of a value without content. */
const shortestBytes = front.length + randomUUID().length;

/**
 * The value of one of the server's own keys, as JSON with a random ID, so that no other write has
 * the same bytes. Readers ignore the ID.
 */
export function uniqueValue(content: Readonly<Record<string, string | number>> = {}): Buffer {
  return Buffer.from(JSON.stringify({ writeID: randomUUID(), ...content }), 'utf8');
}

/**
 * True for an event that no other history has: a write with a `uniqueValue`, and the creation of an
 * object, which has a random uid.
 */
export function isUniqueEvent(event: StoreEvent): boolean {
  if (event.type === 'delete') return false;
  const { key, value } = event.current;
  if (!isInternalKey(key)) return event.created;
  return value.length > shortestBytes && Buffer.from(value.subarray(0, front.length)).equals(Buffer.from(front));
}
