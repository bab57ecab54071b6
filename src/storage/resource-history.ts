import { HistoryExtension } from './history-extension.ts';
import type { ObjectStore, StoredValue } from './object-store.ts';
import type { ResourceState } from './resource-state.ts';
import { abortable } from './abortable.ts';
import { Semaphore } from '../async/semaphore.ts';
import type { SplicedObject } from './spliced-object.ts';
import { StorageError } from './storage-error.ts';
import type { StoreFeed } from './store-feed.ts';
import type { SharedHistory } from './shared-history.ts';
import { historyBatch, storeHistory, type HistoryBatch } from './store-history.ts';

interface ResourceHistoryOptions {
  readonly store: ObjectStore;
  /** What the keys of the resource begin with, and what those of the whole store do. */
  readonly resourcePrefix: string;
  readonly storePrefix: string;
  readonly feed: StoreFeed;
  /** Readings of the history of the whole store. */
  readonly shared: SharedHistory;
  readonly read: (stored: StoredValue) => SplicedObject | undefined;
  readonly now: () => number;
  /** How long a watch waits for its turn. */
  readonly patienceMs: number;
}

/**
 * Watches of a resource that read the store's history each for itself, which is for those who come back from so far that the cache
 * cannot hold what they missed. The others wait, and are then better off with a new list, which is in memory.
 */
const readersAtATime = 16;

/** What the store remembers of one resource from before its state: brought into the state's log where it fits, or read past it. */
export class ResourceHistory {
  readonly #options: ResourceHistoryOptions;
  readonly #slots = new Semaphore(readersAtATime);
  readonly #extensions = new WeakMap<ResourceState, HistoryExtension>();
  readonly #closing = new AbortController();

  constructor(options: ResourceHistoryOptions) {
    this.#options = options;
  }

  /** Whether the log of a state could be made to begin at a revision. */
  extend(state: ResourceState, revision: number, signal: AbortSignal): Promise<boolean> {
    let extension = this.#extensions.get(state);
    if (!extension) {
      extension = new HistoryExtension(state.log, (start, take) => this.#readForLog(state, start, take));
      this.#extensions.set(state, extension);
    }
    return extension.reaches(revision, signal);
  }

  /** The changes after a revision, for one watch. Throws Compacted where its turn does not come. */
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

  /** Ends what is being read for all. */
  close(): void {
    this.#closing.abort();
  }

  /** The changes after a revision until `take` has what a log needs, in a reading that other resources may share. */
  async #readForLog(
    state: ResourceState,
    afterRevision: number,
    take: (batch: HistoryBatch) => boolean,
  ): Promise<void> {
    const { log } = state;
    const { feed, shared, resourcePrefix } = this.#options;
    if (!log.startIsEvent) {
      feed.showUpTo(log.start);
      await shared.read({ resourcePrefix, afterRevision, take: (batch) => take(historyBatch(batch, this.#options)) });
      return;
    }
    for await (const batch of this.#read(state, afterRevision, this.#closing.signal)) if (!take(batch)) return;
  }

  #read({ log }: ResourceState, afterRevision: number, signal: AbortSignal): AsyncIterable<HistoryBatch> {
    const { store, resourcePrefix, storePrefix, feed, read, now } = this.#options;
    if (!log.startIsEvent) feed.showUpTo(log.start);
    // The log begins at a revision that may be another resource's; then only all events tell when it is reached.
    const watchedPrefix = log.startIsEvent ? resourcePrefix : storePrefix;
    return storeHistory({ store, resourcePrefix, watchedPrefix, afterRevision, read, now, signal });
  }
}
