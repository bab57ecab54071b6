import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import { announce, type Announcements, withdraw } from '../../storage/port/announced-key.ts';
import { internalItemKey } from '../../storage/port/object-key.ts';

/**
 * How often a server renews the key with its peer address, and the lifetime of that key, as in
 * kube-apiserver.
 */
export const peerAddress = Object.freeze({ refreshMs: 10_000, ttlSeconds: 15 });

/** Writes the address at which peers reach a server. */
export function announceToPeers(peers: Announcements, id: string, { host, port }: ServerAddress): Promise<void> {
  return announce(peers, keyOf(peers.prefix, id), { host, port }, peerAddress.ttlSeconds);
}

/** Deletes the peer address of a server that stops. */
export function withdrawFromPeers(peers: Announcements, id: string): Promise<void> {
  return withdraw(peers, keyOf(peers.prefix, id));
}

/** The address of a peer; undefined if the peer has not renewed it recently. */
export async function addressOfPeer(
  { store, prefix, signal }: Announcements,
  id: string,
): Promise<ServerAddress | undefined> {
  const { current } = await store.get(keyOf(prefix, id), { signal });
  if (!current) return undefined;
  const parsed = JSON.parse(Buffer.from(current.value).toString('utf8')) as JsonValue;
  if (!isJsonObject(parsed)) return undefined;
  const [host, port] = [stringAt(parsed, 'host'), numberAt(parsed, 'port')];
  return host !== '' && port !== undefined ? { host, port } : undefined;
}

function keyOf(prefix: string, id: string): string {
  return internalItemKey(prefix, 'peers', id);
}
