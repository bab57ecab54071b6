import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { numberAt, stringAt } from '../meta/read-field.ts';
import { internalItemKey } from '../storage/object-key.ts';
import type { ObjectStore, StoredValue } from '../storage/object-store.ts';

/** Where a server of the API is reached. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** How often a server says that it is there, and how long the others believe it: long enough to miss two times. */
export const presence = Object.freeze({ refreshMs: 20_000, ttlSeconds: 60 });

interface Presence {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/**
 * Says that a server is there, for a while, by a key that the store forgets after it (see `WriteCallOptions.ttlSeconds`). Only the
 * server itself writes its key, so that whatever is lost to another write is as good.
 */
export async function announceServer({ store, prefix, signal }: Presence, server: ServerAddress): Promise<void> {
  const key = keyOf(prefix, server);
  const value = Buffer.from(JSON.stringify(server), 'utf8');
  const call = { signal, ttlSeconds: presence.ttlSeconds };
  const { current } = await store.get(key, { signal });
  if (current) await store.update(key, value, current.revision, call);
  else await store.create(key, value, call);
}

/** Says that a server is leaving. */
export async function withdrawServer({ store, prefix, signal }: Presence, server: ServerAddress): Promise<void> {
  const key = keyOf(prefix, server);
  const { current } = await store.get(key, { signal });
  if (current) await store.delete(key, current.revision, { signal });
}

/** The servers that have said so and are not over, in the order of their keys. */
export async function presentServers({ store, prefix, signal }: Presence): Promise<readonly ServerAddress[]> {
  const servers: ServerAddress[] = [];
  for await (const { values } of store.list(internalItemKey(prefix, 'servers'), { signal })) {
    for (const value of values) servers.push(readAddress(value));
  }
  return servers;
}

function readAddress({ value }: StoredValue): ServerAddress {
  const parsed = JSON.parse(Buffer.from(value).toString('utf8')) as JsonValue;
  const document = isJsonObject(parsed) ? parsed : {};
  return { address: stringAt(document, 'address'), port: numberAt(document, 'port') ?? 0 };
}

/** Colons are for IPv6 alone; keys have none. */
function keyOf(prefix: string, { address, port }: ServerAddress): string {
  return internalItemKey(prefix, 'servers', `${address.replaceAll(':', '_')}-${port}`);
}
