import { nextTurn } from '../../async/yield-if-long.ts';
import { type Deferred, newDeferred } from '../../async/deferred.ts';
import { type ObjectStore, type WatchBatch, keyOf, revisionOf } from '../port/object-store.ts';
import { openedAtOnce } from '../port/sealed-events.ts';
import { StorageError } from '../port/storage-error.ts';

/** One resource's request to read the store's history. */
interface HistoryReader {
  /** The prefix of the resource's keys. */
  readonly resourcePrefix: string;
  readonly afterRevision: number;
  /** Takes the resource's changes of whole revisions; returns true if it needs more. May throw. */
  readonly take: (batch: WatchBatch) => boolean;
}

interface Reading {
  readonly reader: HistoryReader;
  readonly done: Deferred<number | undefined>;
  /** The revision up to which everything was delivered. */
  reached: number;
}

/**
 * Reads the history of the whole store once for all resources that request theirs at the same time.
 * This happens after a restart, when the clients of all resources resume. Requests during a read
 * share the next one.
 */
export class SharedHistory {
  readonly #store: ObjectStore;
  readonly #prefix: string;
  readonly #closing = new AbortController();
  #waiting: Reading[] = [];
  #running = false;

  /** `prefix` is the prefix of all keys. */
  constructor(store: ObjectStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /**
   * Resolves when `take` returns false. If values of the resource wait for a key, resolves to the
   * revision after which the caller must read separately. Throws StorageError, and the errors of
   * `take`.
   */
  read(reader: HistoryReader): Promise<number | undefined> {
    const done = newDeferred<number | undefined>();
    this.#waiting.push({ reader, done, reached: reader.afterRevision });
    if (!this.#running) void this.#run();
    return done.promise;
  }

  /** Ends the running read; its readers fail with Unavailable. */
  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // Requests of one tick share one read.
      await nextTurn();
      const readings = new Set(this.#waiting);
      this.#waiting = [];
      try {
        await this.#follow(readings);
        fail(readings, new StorageError('Unavailable', 'the server is no longer reading the history of the store'));
      } catch (error) {
        this.#retry(readings, error);
      }
    }
    this.#running = false;
  }

  /** Reads until all readings are done; each is removed from the set when it is. */
  async #follow(readings: Set<Reading>): Promise<void> {
    const { signal } = this.#closing;
    const afterRevision = oldestStart(readings);
    for await (const batch of this.#store.watch(this.#prefix, { afterRevision, sealed: true, signal })) {
      // The first batch only confirms the watch; it does not prove that the history exists.
      if (batch.revision === afterRevision) continue;
      for (const reading of readings) if (isDone(reading, batch)) readings.delete(reading);
      if (readings.size === 0) return;
    }
  }

  /**
   * Fails the readings that start before the compaction; the others are read again without them.
   */
  #retry(readings: ReadonlySet<Reading>, error: unknown): void {
    const compacted = error instanceof StorageError && error.code === 'Compacted' ? error.revision : undefined;
    const oldest = Math.max(compacted ?? Number.POSITIVE_INFINITY, oldestStart(readings) + 1);
    const lost = [...readings].filter(({ reader }) => reader.afterRevision < oldest);
    fail(lost, error);
    this.#waiting.push(...[...readings].filter((reading) => !lost.includes(reading)));
  }
}

function isDone(reading: Reading, batch: WatchBatch): boolean {
  const { reader, done } = reading;
  const { resourcePrefix, afterRevision, take } = reader;
  if (batch.revision <= afterRevision) return false;
  const events = batch.events.filter(
    (event) => keyOf(event).startsWith(resourcePrefix) && revisionOf(event) > afterRevision,
  );
  try {
    const opened = openedAtOnce(events);
    if (!opened) {
      done.resolve(reading.reached);
      return true;
    }
    reading.reached = batch.revision;
    if (take({ revision: batch.revision, events: opened })) return false;
    done.resolve(undefined);
  } catch (error) {
    done.reject(error);
  }
  return true;
}

function oldestStart(readings: Iterable<Reading>): number {
  return Math.min(...Array.from(readings, ({ reader }) => reader.afterRevision));
}

function fail(readings: Iterable<Reading>, error: unknown): void {
  for (const { done } of readings) done.reject(error);
}
