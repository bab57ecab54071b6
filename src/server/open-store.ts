import { readFile } from 'node:fs/promises';
import { openEtcdStore } from '../storage/etcd-store.ts';
import { MemoryStore } from '../storage/memory-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { connectRemoteStore } from '../storage/remote-store.ts';
import type { StoreOptions } from './server-options.ts';

async function optional(file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? undefined : await readFile(file);
}

async function openEtcd(options: StoreOptions & { readonly kind: 'etcd' }, prefix: string): Promise<ObjectStore> {
  const [ca, cert, key] = await Promise.all([options.caFile, options.certFile, options.keyFile].map(optional));
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return await openEtcdStore({ endpoints: options.servers, prefix, ...(ca || cert ? { tls } : {}) });
}

/** Opens the store that the options name. Throws when a TLS file cannot be read; an unreachable store shows on first use. */
export async function openStore(options: StoreOptions, prefix: string): Promise<ObjectStore> {
  if (options.kind === 'memory') return new MemoryStore();
  if (options.kind === 'remote') return await connectRemoteStore(options.endpoint);
  return await openEtcd(options, prefix);
}
