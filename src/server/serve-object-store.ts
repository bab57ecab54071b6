import type { ObjectStore } from '../storage/port/object-store.ts';
import type { StoreServer, StoreServerTls } from '../storage/remote/store-server.ts';

/**
 * Serves a store over gRPC for API servers in other processes (`--storage-endpoint`). `address`
 * is `host:port`; port 0 takes a free one. The gRPC library is imported here, so that a server on
 * etcd does not load it.
 */
export async function serveObjectStore(
  store: ObjectStore,
  address: string,
  options: { readonly tls?: StoreServerTls } = {},
): Promise<StoreServer> {
  const { serveStore } = await import('../storage/remote/store-server.ts');
  return await serveStore(store, address, options);
}
