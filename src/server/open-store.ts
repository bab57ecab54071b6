import type { EtcdTls } from '../etcd/endpoint.ts';
import { openEtcdStore } from '../storage/etcd/etcd-store.ts';
import { MemoryStore } from '../storage/memory/memory-store.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { connectRemoteStore } from '../storage/remote/remote-store.ts';
import type { StoreOptions } from '../config/server-options.ts';

/**
 * Opens the store of the options. `etcdTls` is called for the credentials of each new connection
 * to etcd. An unreachable etcd fails on first use.
 */
export async function openStore(
  options: StoreOptions,
  prefix: string,
  etcdTls: (() => EtcdTls) | undefined,
): Promise<ObjectStore> {
  if (options.kind === 'memory') return new MemoryStore();
  if (options.kind === 'remote') return await connectRemoteStore(options.endpoint);
  return await openEtcdStore({ endpoints: options.servers, prefix, ...(etcdTls ? { tls: etcdTls } : {}) });
}

/** The store as messages name it. */
export function storePlace(options: StoreOptions): string {
  if (options.kind === 'memory') return 'the store in memory';
  return options.kind === 'remote' ? `the store at ${options.endpoint}` : `etcd at ${options.servers.join(', ')}`;
}
