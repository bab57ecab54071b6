import { abortable } from './abortable.ts';
import type { EventLog } from './event-log.ts';
import type { ResourceEvent } from './resource-event.ts';
import { StorageError } from './storage-error.ts';
import type { HistoryBatch } from './store-history.ts';

/** Reads the store's history of a resource, after a revision. */
export type ReadHistory = (afterRevision: number) => AsyncIterable<HistoryBatch>;

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
  #running: Promise<boolean> | undefined;

  constructor(log: EventLog, read: ReadHistory) {
    this.#log = log;
    this.#read = read;
  }

  /** Whether the log now begins at `revision` or before; false where the store cannot tell, or it is more than the log may hold. */
  async reaches(revision: number, signal: AbortSignal): Promise<boolean> {
    while (this.#log.start > revision) {
      if (revision <= this.#tooFar) return false;
      this.#wanted = Math.min(this.#wanted, revision);
      this.#running ??= this.#extend().finally(() => {
        this.#running = undefined;
      });
      if (!(await abortable(this.#running, signal))) return false;
    }
    return true;
  }

  async #extend(): Promise<boolean> {
    // Those who come within one tick are served by one reading.
    await new Promise((resolve) => setImmediate(resolve));
    const start = this.#wanted;
    this.#wanted = Number.POSITIVE_INFINITY;
    const events: ResourceEvent[] = [];
    try {
      for await (const batch of this.#read(start)) {
        events.push(...batch.events);
        const fits = this.#log.hasRoomFor(events);
        if (fits && batch.revision < this.#log.start) continue;
        if (fits && this.#log.prepend(start, events)) return true;
        this.#tooFar = Math.max(this.#tooFar, start);
        return false;
      }
      return false;
    } catch (error) {
      // Each watch then asks the store for itself, and gets an error of its own.
      if (error instanceof StorageError) return false;
      throw error;
    }
  }
}
