import type { EtcdClient } from '../etcd/etcd-client.ts';
import { RecordingError } from './recording-file.ts';

/** The target revision, and the keys to write. */
interface RaiseOptions {
  /** The revision to reach at least. */
  readonly revision: number;
  /** The prefix of the names of the keys that are written and deleted again. */
  readonly key: string;
  readonly onProgress: (revision: number) => void;
  readonly signal: AbortSignal;
}

/** The calls of etcd that raise its revision. */
type RevisionCalls = Pick<EtcdClient, 'revision' | 'create' | 'delete' | 'compact'>;

/**
 * The number of revisions after which the history is compacted: each takes space in etcd's file,
 * which would reach its quota after some ten millions.
 */
const mostHistory = 100_000;

/** Concurrent writes: etcd commits writes that arrive together in one disk write. */
const writers = 128;

/**
 * Raises the revision of an etcd by one write for each revision, and compacts the history. After a
 * restore the versions that clients have seen are then older than the whole store, and watches from
 * them are refused. A running etcd has no other way. Throws RecordingError if another program
 * writes the keys.
 */
export async function raiseRevision(etcd: RevisionCalls, options: RaiseOptions): Promise<number> {
  const { revision: wanted, key, onProgress, signal } = options;
  let newest = await etcd.revision(signal);
  let compacted = newest;
  const write = async (own: string): Promise<void> => {
    while (newest < wanted) {
      signal.throwIfAborted();
      const created = await etcd.create(own, Buffer.alloc(0));
      if (created === undefined) throw new RecordingError(`another program has written ${own}`);
      const deleted = await etcd.delete(own, created);
      newest = Math.max(newest, created, deleted.revision);
      onProgress(newest);
      if (newest - compacted < mostHistory) continue;
      compacted = newest;
      await etcd.compact(newest);
    }
  };
  const most = Math.min(writers, Math.ceil(Math.max(0, wanted - newest) / 2));
  const ends = await Promise.allSettled(Array.from({ length: most }, (_, index) => write(`${key}-${index}`)));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  await etcd.compact(newest);
  return newest;
}
