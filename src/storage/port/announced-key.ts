import type { ObjectStore } from './object-store.ts';
import { uniqueValue } from './unique-value.ts';

/** A store in which servers announce themselves. */
export interface Announcements {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a key that expires (see `WriteCallOptions.ttlSeconds`). Only one server writes each key,
 * so that a lost conflict does no harm.
 */
export async function announce(
  { store, signal }: Announcements,
  key: string,
  value: Parameters<typeof uniqueValue>[0],
  ttlSeconds: number,
): Promise<void> {
  const call = { signal, ttlSeconds };
  const { current } = await store.get(key, { signal });
  if (current) await store.update(key, uniqueValue(value), current.revision, call);
  else await store.create(key, uniqueValue(value), call);
}

/** Deletes the key of a server that stops. */
export async function withdraw({ store, signal }: Announcements, key: string): Promise<void> {
  const { current } = await store.get(key, { signal });
  if (current) await store.delete(key, current.revision, { signal });
}
