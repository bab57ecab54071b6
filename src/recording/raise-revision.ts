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
type RevisionCalls = Pick<EtcdClient, 'revision' | 'get' | 'create' | 'update' | 'delete' | 'compact'>;

/**
 * The number of revisions after which the history is compacted: each takes space in etcd's file,
 * which would reach its quota after some ten millions.
 */
const mostHistory = 100_000;

/**
 * Concurrent writes: etcd commits writes that arrive together in one disk write. More writes, more
 * connections or writes without a condition are no faster: each takes 0.13 ms of etcd's CPU.
 */
const writers = 128;

/**
 * Raises the revision of an etcd by one write for each revision, and compacts the history. After a
 * restore the versions that clients have seen are then older than the whole store, and watches from
 * them are refused. A running etcd has no other way. After a killed call the next one continues,
 * and deletes the keys that it left. Throws RecordingError if another program writes the keys.
 */
export async function raiseRevision(etcd: RevisionCalls, options: RaiseOptions): Promise<number> {
  const { revision: wanted, key, onProgress, signal } = options;
  let newest = await etcd.revision(signal);
  let compacted = newest;
  let failed = false;
  const isOver = (): boolean => failed || newest >= wanted;
  const reached = async (revision: number): Promise<void> => {
    newest = Math.max(newest, revision);
    onProgress(newest);
    if (newest - compacted < mostHistory) return;
    compacted = newest;
    await etcd.compact(newest);
  };
  const writeAll = async (own: string): Promise<void> => {
    let at = (await etcd.get(own)).values[0]?.revision ?? 0;
    try {
      while (!isOver()) {
        signal.throwIfAborted();
        at = await writtenAt(etcd, own, at);
        await reached(at);
      }
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      const deleted = at > 0 ? await etcd.delete(own, at) : undefined;
      newest = Math.max(newest, deleted?.revision ?? 0);
    }
  };
  // All writers, even for few revisions: a killed call may have left any of the keys.
  const ends = await Promise.allSettled(Array.from({ length: writers }, (_, index) => writeAll(`${key}-${index}`)));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  await etcd.compact(newest);
  return newest;
}

/** Writes a key that is at a revision; 0: it does not exist. Returns its new revision. */
async function writtenAt(etcd: RevisionCalls, key: string, revision: number): Promise<number> {
  if (revision === 0) {
    const created = await etcd.create(key, noBytes);
    if (created !== undefined) return created;
  } else {
    const updated = await etcd.update(key, noBytes, revision);
    if (updated.swapped) return updated.revision;
  }
  throw new RecordingError(`another program has written ${key}`);
}

const noBytes = Buffer.alloc(0);
