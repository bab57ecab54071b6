import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import { internalItemKey } from '../../storage/port/object-key.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { uniqueValue } from '../../storage/port/unique-value.ts';

/**
 * How often a server renews the key with its address for peers, and the lifetime of the key, as in
 * kube-apiserver.
 */
export const peerAddress = Object.freeze({ refreshMs: 10_000, ttlSeconds: 15 });

/** The keys of a server's peers. */
interface PeerKeys {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** Writes the address at which peers reach a server. Each server writes only its own key. */
export async function announceToPeers(
  { store, prefix, signal }: PeerKeys,
  id: string,
  address: ServerAddress,
): Promise<void> {
  const key = keyOf(prefix, id);
  const value = uniqueValue({ host: address.host, port: address.port });
  const call = { signal, ttlSeconds: peerAddress.ttlSeconds };
  const { current } = await store.get(key, { signal });
  if (current) await store.update(key, value, current.revision, call);
  else await store.create(key, value, call);
}

/** Deletes the key of a server that stops. */
export async function withdrawFromPeers({ store, prefix, signal }: PeerKeys, id: string): Promise<void> {
  const key = keyOf(prefix, id);
  const { current } = await store.get(key, { signal });
  if (current) await store.delete(key, current.revision, { signal });
}

/** The address of a peer; undefined if it has announced none recently. */
export async function addressOfPeer(
  { store, prefix, signal }: PeerKeys,
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
