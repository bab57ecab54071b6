import { nextTurn } from '../async/next-turn.ts';
import { abortable } from './abortable.ts';
import { compacted } from './check-arguments.ts';
import type { EventLog } from './event-log.ts';
import type { ResourceEvent } from './resource-event.ts';
import { StorageError } from './storage-error.ts';
import type { HistoryBatch } from './store-history.ts';

/** Reads the store's history of a resource after a revision, until `take` needs no more. Throws StorageError. */
type ReadHistory = (afterRevision: number, take: (batch: HistoryBatch) => boolean) => Promise<void>;

/**
 * Extends a log into the past, out of the store's history, once for all watches that wait for it: after a restart all clients
 * resume at revisions from before the cache was filled, and must not each read the store's history for themselves.
 */
export class HistoryExtension {
  readonly #log: EventLog;
  readonly #read: ReadHistory;
  /** The oldest start that is waited for. */
  #wanted = Number.POSITIVE_INFINITY;
  /** There was no room for what came after this; there will be less. */
  #tooFar = Number.NEGATIVE_INFINITY;
  /** The store has compacted what came before this. */
  #oldest = Number.NEGATIVE_INFINITY;
  #running: Promise<boolean> | undefined;

  constructor(log: EventLog, read: ReadHistory) {
    this.#log = log;
    this.#read = read;
  }

  /**
   * Whether the log now begins at `revision` or before; false where the store cannot be read, or it is more than the log may
   * hold. Throws Compacted where the store is known to have forgotten it.
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

  /** Whether the callers should look again: the log was extended, or the oldest of them is known to be lost. */
  async #extend(): Promise<boolean> {
    // Those who come within one tick are served by one reading.
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
      // The log may have forgotten more while the reading ended: what lies between is in neither.
      if (fits && readUpTo < this.#log.start) return readUpTo > start;
      if (fits && this.#log.prepend(start, events)) return true;
      this.#tooFar = Math.max(this.#tooFar, start);
      return false;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // Each watch then asks the store for itself, and gets an error of its own.
      if (error.code !== 'Compacted') return false;
      this.#oldest = Math.max(this.#oldest, error.revision ?? 0, start + 1);
      return true;
    }
  }
}
