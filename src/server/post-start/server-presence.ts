import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import { announce, type Announcements, withdraw } from '../../storage/port/announced-key.ts';
import { internalItemKey } from '../../storage/port/object-key.ts';
import type { StoredValue } from '../../storage/port/object-store.ts';

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

/** Announces a server. */
export function announceServer(servers: Announcements, server: ServerAddress): Promise<void> {
  const { address, port } = server;
  return announce(servers, keyOf(servers.prefix, server), { address, port }, presence.ttlSeconds);
}

/** Deletes the key of a server that stops. */
export function withdrawServer(servers: Announcements, server: ServerAddress): Promise<void> {
  return withdraw(servers, keyOf(servers.prefix, server));
}

/** The announced servers, sorted by key. */
export async function presentServers({ store, prefix, signal }: Announcements): Promise<readonly ServerAddress[]> {
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
