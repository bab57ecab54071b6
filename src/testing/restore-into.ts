import { readFile } from 'node:fs/promises';
import type { StoredEntry, StoreOptions } from '../config/flags/store-options.ts';
import { connectEtcd } from '../etcd/etcd-client.ts';
import { RecordingError } from '../recording/recording-file.ts';
import { restoreIntoEtcd } from '../recording/restore-into-etcd.ts';
import { restoreSnapshot, type SnapshotTarget } from '../recording/restore-snapshot.ts';

/**
 * Restores a snapshot into the store of the options, which must have no keys. Returns the options
 * with which the server finds it there.
 */
export async function restoreInto(store: StoreOptions, file: string, prefix: string): Promise<StoreOptions> {
  if (store.kind === 'remote') {
    throw new RecordingError('a snapshot is restored into memory or etcd, and not into a store over gRPC');
  }
  if (store.kind === 'memory') return { ...store, entries: await entriesOf(file, prefix, store.entries) };
  const { servers: endpoints, caFile, certFile, keyFile } = store;
  const [ca, cert, key] = await Promise.all([caFile, certFile, keyFile].map(async (path) => path && readFile(path)));
  const tls = { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
  const etcd = await connectEtcd({ endpoints, tls });
  try {
    await restoreIntoEtcd(file, etcd, { prefix });
  } finally {
    etcd.close();
  }
  return store;
}

async function entriesOf(
  file: string,
  prefix: string,
  present: readonly StoredEntry[] = [],
): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = [];
  const target: SnapshotTarget = {
    count: async () => present.length,
    create: async (key, value, ttlSeconds) => {
      // The value is a part of a larger buffer, which would be kept with it.
      const copy = Buffer.from(value);
      entries.push({ key, value: copy, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) });
      return true;
    },
  };
  await restoreSnapshot(file, target, { prefix });
  return entries;
}
