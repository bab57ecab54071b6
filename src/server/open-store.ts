import { openEtcdStore } from '../storage/etcd-store.ts';
import { MemoryStore } from '../storage/memory-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { connectRemoteStore } from '../storage/remote-store.ts';
import { readCertificates, readPrivateKey } from './pem-files.ts';
import type { StoreOptions } from './server-options.ts';

type EtcdOptions = StoreOptions & { readonly kind: 'etcd' };

async function openEtcd(options: EtcdOptions, prefix: string): Promise<ObjectStore> {
  const { caFile, certFile, keyFile } = options;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new Error('--etcd-certfile and --etcd-keyfile are given together');
  }
  const ca = caFile === undefined ? undefined : await readCertificates({ flag: '--etcd-cafile', file: caFile });
  const own = certFile === undefined || keyFile === undefined ? {} : await readIdentity(certFile, keyFile);
  const tls = { ...(ca === undefined ? {} : { ca: Buffer.from(ca) }), ...own };
  return await openEtcdStore({ endpoints: options.servers, prefix, ...((caFile ?? certFile) ? { tls } : {}) });
}

/** What this server shows to etcd. */
async function readIdentity(certFile: string, keyFile: string): Promise<{ cert: Buffer; key: Buffer }> {
  const cert = await readCertificates({ flag: '--etcd-certfile', file: certFile });
  const key = await readPrivateKey({ flag: '--etcd-keyfile', file: keyFile }, cert);
  return { cert: Buffer.from(cert), key: Buffer.from(key) };
}

/** Opens the store that the options name. Throws when a TLS file cannot be read; an unreachable store shows on first use. */
export async function openStore(options: StoreOptions, prefix: string): Promise<ObjectStore> {
  if (options.kind === 'memory') return new MemoryStore();
  if (options.kind === 'remote') return await connectRemoteStore(options.endpoint);
  return await openEtcd(options, prefix);
}

/** How messages name a store. */
export function storePlace(options: StoreOptions): string {
  if (options.kind === 'memory') return 'the store in memory';
  return options.kind === 'remote' ? `the store at ${options.endpoint}` : `etcd at ${options.servers.join(', ')}`;
}
