import type { EtcdClient } from '../etcd/etcd-client.ts';
import { RecordingError } from './recording-file.ts';

/** How the revision of an etcd is raised. */
interface RaiseOptions {
  /** The revision that is reached at least. */
  readonly revision: number;
  /** A key without a value, and the beginning of the names of keys that are written meanwhile. */
  readonly key: string;
  readonly onProgress: (revision: number) => void;
  readonly signal: AbortSignal;
}

/** The calls of etcd that raise its revision. */
type RevisionCalls = Pick<EtcdClient, 'revision' | 'create' | 'delete' | 'compact'>;

/**
 * Revisions after which the history is dropped: each takes room in the file of etcd, which would
 * reach its quota after some ten millions.
 */
const mostHistory = 100_000;

/** Writes at the same time: etcd puts those that arrive together on its disk at once. */
const writers = 128;

/**
 * Raises the revision of an etcd, one write for each, and drops the history before it: a version
 * that a client has seen before a restore is then older than all of the store, and a watch from it
 * is refused. etcd has no other way while it runs. Throws RecordingError if another program has the
 * keys.
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
