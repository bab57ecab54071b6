import { readFile } from 'node:fs/promises';
import { openEtcdStore } from '../storage/etcd-store.ts';
import { MemoryStore } from '../storage/memory-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { connectRemoteStore } from '../storage/remote-store.ts';
import type { StoreOptions } from './server-options.ts';

async function optional(file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? undefined : await readFile(file);
}

/** Opens the store that the options name. Throws when a TLS file cannot be read; an unreachable etcd shows on first use. */
export async function openStore(options: StoreOptions, prefix: string): Promise<ObjectStore> {
  switch (options.kind) {
    case 'memory':
      return new MemoryStore();
    case 'remote':
      return connectRemoteStore(options.endpoint);
    case 'etcd': {
      const [ca, cert, key] = await Promise.all([options.caFile, options.certFile, options.keyFile].map(optional));
      return await openEtcdStore({
        endpoints: options.servers,
        prefix,
        tls: ca || cert ? { ca, cert, key } : undefined,
      });
    }
  }
}
