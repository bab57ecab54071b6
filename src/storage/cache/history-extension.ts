import { nextTurn } from '../../async/yield-if-long.ts';
import { abortable } from '../port/abortable.ts';
import { compacted } from '../port/check-arguments.ts';
import type { EventLog } from './event-log.ts';
import type { ResourceEvent } from './resource-event.ts';
import { StorageError } from '../port/storage-error.ts';
import type { HistoryBatch } from './store-history.ts';

/**
 * Reads a resource's history from the store after a revision until `take` returns false. Throws
 * StorageError.
 */
type ReadHistory = (afterRevision: number, take: (batch: HistoryBatch) => boolean) => Promise<void>;

/**
 * Extends a log into the past from the store's history, once for all waiting watches. After a
 * restart all clients resume from revisions before the cache was filled; without this, each would
 * read the store's history.
 */
export class HistoryExtension {
  readonly #log: EventLog;
  readonly #read: ReadHistory;
  /** The oldest revision that a caller waits for. */
  #wanted = Number.POSITIVE_INFINITY;
  /** The log had no room for the changes after this revision, nor has it for older ones. */
  #tooFar = Number.NEGATIVE_INFINITY;
  /** The store has compacted the changes before this revision. */
  #oldest = Number.NEGATIVE_INFINITY;
  #running: Promise<boolean> | undefined;

  constructor(log: EventLog, read: ReadHistory) {
    this.#log = log;
    this.#read = read;
  }

  /**
   * True if the log now begins at or before `revision`; false if the store cannot be read, or the
   * log has no room. Throws Compacted if the store is known to have compacted the revision.
   */
  async reaches(revision: number, signal: AbortSignal): Promise<boolean> {
    while (this.#log.start > revision) {
      if (revision < this.#oldest) throw compacted(revision, this.#oldest);
      if (revision <= this.#tooFar) return false;
      this.#wanted = Math.min(this.#wanted, revision);
      this.#running ??= this.#extend().finally(() => {
        this.#running = undefined;
      });
      if (!(await abortable(this.#running, signal))) return false;
    }
    return true;
  }

  /**
   * True if the callers should check again: the log was extended, or the oldest request is known to
   * be compacted.
   */
  async #extend(): Promise<boolean> {
    // Requests of one tick share one read.
    await nextTurn();
    const start = this.#wanted;
    this.#wanted = Number.POSITIVE_INFINITY;
    const events: ResourceEvent[] = [];
    let fits = true;
    let readUpTo = start;
    try {
      await this.#read(start, (batch) => {
        events.push(...batch.events);
        readUpTo = batch.revision;
        fits = this.#log.hasRoomFor(events);
        return fits && batch.revision < this.#log.start;
      });
      // The log may have dropped more during the read; the changes between are then in neither.
      if (fits && readUpTo < this.#log.start) return readUpTo > start;
      if (fits && this.#log.prepend(start, events)) return true;
      this.#tooFar = Math.max(this.#tooFar, start);
      return false;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // Each watch then reads the store on its own, and gets its own error.
      if (error.code !== 'Compacted') return false;
      this.#oldest = Math.max(this.#oldest, error.revision ?? 0, start + 1);
      return true;
    }
  }
}
