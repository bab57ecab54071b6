import { HistoryExtension } from './history-extension.ts';
import type { ObjectStore, StoredValue } from '../port/object-store.ts';
import type { ResourceState } from './resource-state.ts';
import { abortable } from '../port/abortable.ts';
import { Semaphore } from '../../async/semaphore.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { StorageError } from '../port/storage-error.ts';
import type { Reflector } from './reflector.ts';
import type { SharedHistory } from './shared-history.ts';
import type { Damage } from './damage.ts';
import { historyBatch, storeHistory, type HistoryBatch } from './store-history.ts';

interface ResourceHistoryOptions {
  readonly store: ObjectStore;
  /** The prefix of the resource's keys, and the prefix of all keys. */
  readonly resourcePrefix: string;
  readonly storePrefix: string;
  readonly reflector: Reflector;
  /** Shared reads of the history of the whole store. */
  readonly shared: SharedHistory;
  readonly read: (stored: StoredValue) => CachedObject | undefined;
  readonly now: () => number;
  /** How long a watch waits for a free slot. */
  readonly patienceMs: number;
}

/**
 * Maximum number of watches of one resource that read the store's history on their own. They resume
 * from a revision so old that the log cannot hold the changes since. Others wait and then fail with
 * Compacted: a new list, which is in memory, is cheaper for their clients.
 */
const readersAtATime = 16;

/**
 * The history of one resource before its log: loaded into the log if it fits, else read from the
 * store for each watch.
 */
export class ResourceHistory {
  readonly #options: ResourceHistoryOptions;
  readonly #slots = new Semaphore(readersAtATime);
  readonly #extensions = new WeakMap<ResourceState, HistoryExtension>();
  readonly #closing = new AbortController();

  constructor(options: ResourceHistoryOptions) {
    this.#options = options;
  }

  /** Tries to extend a state's log back to a revision; false if that fails. */
  extend(state: ResourceState, revision: number, signal: AbortSignal): Promise<boolean> {
    let extension = this.#extensions.get(state);
    if (!extension) {
      extension = new HistoryExtension(state.log, (start, take) => this.#readForLog(state, start, take));
      this.#extensions.set(state, extension);
    }
    return extension.reaches(revision, signal);
  }

  /**
   * The changes after a revision, for one watch. Throws Compacted if no slot becomes free in time.
   */
  async *read(
    state: ResourceState,
    afterRevision: number,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryBatch, void, undefined> {
    if (!(await abortable(this.#slots.acquire(signal, this.#options.patienceMs), signal))) {
      throw new StorageError('Compacted', `too many watches read the changes after revision ${afterRevision}`);
    }
    try {
      yield* this.#read(state, afterRevision, signal);
    } finally {
      this.#slots.release();
    }
  }

  /** Ends the reads for logs. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Reads the changes after a revision until `take` returns false. Shares the read with other
   * resources if possible.
   */
  async #readForLog(
    state: ResourceState,
    afterRevision: number,
    take: (batch: HistoryBatch) => boolean,
  ): Promise<void> {
    const { log } = state;
    const { reflector, shared, resourcePrefix } = this.#options;
    const damages = new Map<string, Damage>();
    let start: number | undefined = afterRevision;
    if (!log.startIsEvent) {
      reflector.showUpTo(log.start);
      start = await shared.read({
        resourcePrefix,
        afterRevision,
        take: (batch) => take(historyBatch(batch, { ...this.#options, damages })),
      });
      if (start === undefined) return;
    }
    const alone = this.#read(state, start, this.#closing.signal, damages);
    for await (const batch of alone) if (!take(batch)) return;
  }

  #read(
    { log }: ResourceState,
    afterRevision: number,
    signal: AbortSignal,
    damages = new Map<string, Damage>(),
  ): AsyncIterable<HistoryBatch> {
    const { store, resourcePrefix, storePrefix, reflector, read, now } = this.#options;
    if (!log.startIsEvent) reflector.showUpTo(log.start);
    // If the log starts at the revision of another resource's change, a watch on this resource's
    // prefix does not show when it is reached; one on the whole store does.
    const watchedPrefix = log.startIsEvent ? resourcePrefix : storePrefix;
    return storeHistory({ store, resourcePrefix, watchedPrefix, afterRevision, read, now, damages, signal });
  }
}
