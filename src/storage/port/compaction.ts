import { pause } from '../../async/timers.ts';
import { internalKey } from './object-key.ts';
import type { ObjectStore, SwapResult } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import { uniqueValue } from './unique-value.ts';

/** Options of the compaction loop. */
interface CompactionOptions {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly intervalMs: number;
  /** Ends the loop; the promise then resolves. */
  readonly signal: AbortSignal;
  /** Called after each compaction by this process. */
  readonly onCompacted?: (revision: number) => void;
  /** Called after a round failed; the next round tries again. */
  readonly onError?: (error: unknown) => void;
}

/** The compaction key as this process last read it; revision 0 if the key did not exist. */
interface CompactionMark {
  readonly revision: number;
  /** The store's revision when the key was written. */
  readonly upTo: number;
}

/**
 * Compacts the store once per interval, however many servers run this. All servers try to swap one
 * key. The winner compacts to the revision recorded one interval before, so at least one interval
 * of history is always kept. Resolves when the signal aborts.
 */
export async function runCompaction(options: CompactionOptions): Promise<void> {
  const { intervalMs, signal } = options;
  let mark: CompactionMark | undefined;
  while (!signal.aborted) {
    try {
      mark = mark ? await compactionRound(options, mark) : await readMark(options);
    } catch (error) {
      if (!signal.aborted) options.onError?.(error);
    }
    await pause(intervalMs, signal, { ref: false });
  }
}

/** Runs one round; returns the mark to swap in the next round. */
async function compactionRound(options: CompactionOptions, mark: CompactionMark): Promise<CompactionMark> {
  const { store, signal } = options;
  const { revision: now } = await store.status({ signal });
  const swap = await swapMark(options, mark, now);
  if (!swap.swapped) return markOf(swap.current);
  if (mark.upTo > 0) {
    await store.compact(mark.upTo, { signal });
    options.onCompacted?.(mark.upTo);
  }
  return { revision: swap.revision, upTo: now };
}

async function swapMark({ store, prefix, signal }: CompactionOptions, mark: CompactionMark, upTo: number) {
  const key = internalKey(prefix, 'compaction');
  const value = uniqueValue({ revision: upTo });
  if (mark.revision > 0) return store.update(key, value, mark.revision, { signal });
  try {
    const { revision } = await store.create(key, value, { signal });
    return { swapped: true, revision } satisfies SwapResult;
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
    return { swapped: false, ...(await store.get(key, { signal })) } satisfies SwapResult;
  }
}

async function readMark({ store, prefix, signal }: CompactionOptions): Promise<CompactionMark> {
  return markOf((await store.get(internalKey(prefix, 'compaction'), { signal })).current);
}

function markOf(current: { readonly value: Uint8Array; readonly revision: number } | undefined): CompactionMark {
  if (!current) return { revision: 0, upTo: 0 };
  return { revision: current.revision, upTo: recordedRevision(current.value) };
}

/** Returns 0, which compacts nothing, for a malformed value; the next round overwrites it. */
function recordedRevision(value: Uint8Array): number {
  try {
    const content: unknown = JSON.parse(Buffer.from(value).toString('utf8'));
    const revision = typeof content === 'object' && content && 'revision' in content ? content.revision : 0;
    return typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
  } catch {
    return 0;
  }
}
