import type { EtcdClient } from '../etcd/etcd-client.ts';
import { type RestoreOptions, restoreSnapshot, type SnapshotTarget } from './restore-snapshot.ts';
import type { SnapshotSummary } from './snapshot-file.ts';

/** Restores a snapshot into an etcd without keys. Returns what it has. Throws RecordingError. */
export function restoreIntoEtcd(file: string, etcd: EtcdClient, options: RestoreOptions): Promise<SnapshotSummary> {
  const signal = options.signal ?? new AbortController().signal;
  const target: SnapshotTarget = {
    count: async () => (await etcd.range('', { limit: 1, signal })).count,
    create: async (key, value, ttlSeconds) => (await etcd.create(key, value, ttlSeconds)) !== undefined,
  };
  return restoreSnapshot(file, target, options);
}
