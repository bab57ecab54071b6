import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import { internalItemKey } from '../../storage/port/object-key.ts';
import type { ObjectStore, StoredValue } from '../../storage/port/object-store.ts';
import { uniqueValue } from '../../storage/port/unique-value.ts';

/** The address at which an API server is reached. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * How often a server renews its presence key, and the lifetime of the key, which allows for two
 * missed renewals.
 */
export const presence = Object.freeze({ refreshMs: 20_000, ttlSeconds: 60 });

interface Presence {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/**
 * Announces a server with a key that expires (see `WriteCallOptions.ttlSeconds`). Each server
 * writes only its own key, so that a lost conflict does no harm.
 */
export async function announceServer({ store, prefix, signal }: Presence, server: ServerAddress): Promise<void> {
  const key = keyOf(prefix, server);
  const value = uniqueValue({ address: server.address, port: server.port });
  const call = { signal, ttlSeconds: presence.ttlSeconds };
  const { current } = await store.get(key, { signal });
  if (current) await store.update(key, value, current.revision, call);
  else await store.create(key, value, call);
}

/** Deletes the key of a server that stops. */
export async function withdrawServer({ store, prefix, signal }: Presence, server: ServerAddress): Promise<void> {
  const key = keyOf(prefix, server);
  const { current } = await store.get(key, { signal });
  if (current) await store.delete(key, current.revision, { signal });
}

/** The announced servers, sorted by key. */
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

/** Replaces the colons of IPv6, which keys must not contain. */
function keyOf(prefix: string, { address, port }: ServerAddress): string {
  return internalItemKey(prefix, 'servers', `${address.replaceAll(':', '_')}-${port}`);
}
