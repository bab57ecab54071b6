import type { EtcdClient } from '../etcd/etcd-client.ts';
import { raiseRevision } from './raise-revision.ts';
import { type RestoreOptions, restoreSnapshot, type SnapshotTarget } from './restore-snapshot.ts';
import type { SnapshotSummary } from './snapshot-file.ts';

/** How a snapshot is written into an etcd. */
interface EtcdRestoreOptions extends RestoreOptions {
  /** Above which revision the keys are written; absent: the revision is not raised. */
  readonly raise?: {
    /** The least revision, for a snapshot that was saved at one. */
    readonly revision: (savedAt: number) => number;
    readonly onProgress: (revision: number, wanted: number) => void;
  };
}

/** The keys with which the revision is raised; none is left. */
const raisedKey = 'cl-snapshot-restore';

/**
 * Restores a snapshot into an etcd without keys. The revision is raised before, so that no key gets
 * a revision that a client knows, and a restore that is interrupted meanwhile has written nothing:
 * the next one goes on where it ended. Returns what the snapshot has. Throws RecordingError.
 */
export async function restoreIntoEtcd(
  file: string,
  etcd: EtcdClient,
  { raise, ...options }: EtcdRestoreOptions,
): Promise<SnapshotSummary> {
  const signal = options.signal ?? new AbortController().signal;
  const countOf = async (prefix: string): Promise<number> => (await etcd.range(prefix, { limit: 1, signal })).count;
  const target: SnapshotTarget = {
    count: async () => (await countOf('')) - (await countOf(`${raisedKey}-`)),
    create: async (key, value, ttlSeconds) => (await etcd.create(key, value, ttlSeconds)) !== undefined,
  };
  const beforeWrites = async ({ revision: savedAt }: SnapshotSummary): Promise<void> => {
    if (!raise) return;
    const wanted = raise.revision(savedAt);
    const onProgress = (reached: number): void => raise.onProgress(reached, wanted);
    await raiseRevision(etcd, { revision: wanted, key: raisedKey, onProgress, signal });
  };
  const summary = await restoreSnapshot(file, target, { ...options, beforeWrites });
  if (raise) await etcd.compact(await etcd.revision(signal));
  return summary;
}
