import type { CacheEvent, ObjectFilter } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';

interface SubscriberOptions {
  readonly filter: ObjectFilter | undefined;
  /** Events up to here are not for this reader. */
  readonly afterRevision: number;
  /** So many bytes may wait. */
  readonly budgetBytes: number;
  /** Asks that `wake` be called at the end of the tick; asked once until it is. */
  readonly wakeLater: (subscriber: Subscriber) => void;
  /** Closes the subscription when it aborts. */
  readonly signal: AbortSignal;
  /** Called once, when nothing more may be offered. */
  readonly onEnd: (subscriber: Subscriber) => void;
}

/** Somebody who waits for the next batch. */
interface Reader {
  resolve(result: IteratorResult<readonly CacheEvent[], void>): void;
  reject(error: Error): void;
}

/** What an event costs in a queue besides its object's bytes. */
const eventOverheadBytes = 256;

/**
 * The queue of one live watch, read by one reader: what is queued comes as one batch each time it asks. Its events are shared with all
 * other watches; it holds references, bounded by the bytes behind them. A reader that falls behind the bound is cut off, cleanly: what it got
 * is without gaps, and it may resume behind it. An iterator by hand, because a generator takes three promises for each batch.
 */
export class Subscriber implements AsyncIterator<readonly CacheEvent[], void, undefined> {
  readonly #options: SubscriberOptions;
  #queue: CacheEvent[] = [];
  #bytes = 0;
  #reader: Reader | undefined;
  #waking = false;
  #end: { readonly error: Error | undefined } | undefined;
  #cutOff = false;
  readonly #close = (): void => this.close();

  constructor(options: SubscriberOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#close, { once: true });
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Whether it was ended because its reader fell behind the bound. */
  get cutOff(): boolean {
    return this.#cutOff;
  }

  /** Queues what this reader sees of an event. */
  offer(event: ResourceEvent): void {
    if (this.#end || event.revision <= this.#options.afterRevision) return;
    try {
      const seen = event.seenBy(this.#options.filter);
      if (seen) this.#push(seen, event.bytes);
    } catch (error) {
      // A filter that fails ends its own watch; the feed and all others go on.
      this.end(error instanceof Error ? error : new TypeError('the filter of a watch failed', { cause: error }));
    }
  }

  /** Queues a bookmark behind everything up to `revision`; none before the revision where the watch begins. */
  bookmark(revision: number): void {
    if (this.#end || revision < this.#options.afterRevision) return;
    this.#push({ type: 'BOOKMARK', revision, initialEventsEnd: false }, 0);
  }

  /** Ends the watch behind what is queued, by throwing if there is an error. */
  end(error?: Error): void {
    if (this.#end) return;
    this.#end = { error };
    this.#options.signal.removeEventListener('abort', this.#close);
    this.#options.onEnd(this);
    this.wake();
  }

  /** Ends the watch at once; nobody reads on. */
  close(): void {
    this.#queue = [];
    this.end();
  }

  /** Lets the reader go on. */
  wake(): void {
    this.#waking = false;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) this.#serve(reader);
  }

  /** The next batch, once there is something to tell. */
  next(): Promise<IteratorResult<readonly CacheEvent[], void>> {
    return new Promise((resolve, reject) => this.#serve({ resolve, reject }));
  }

  #serve(reader: Reader): void {
    if (this.#queue.length > 0) {
      const value = this.#queue;
      this.#queue = [];
      this.#bytes = 0;
      reader.resolve({ done: false, value });
    } else if (!this.#end) this.#reader = reader;
    else if (this.#end.error) {
      reader.reject(this.#end.error);
      this.#end = { error: undefined };
    } else reader.resolve({ done: true, value: undefined });
  }

  #push(event: CacheEvent, bytes: number): void {
    this.#bytes += bytes + eventOverheadBytes;
    if (this.#bytes > this.#options.budgetBytes) {
      this.#cutOff = true;
      this.close();
      return;
    }
    this.#queue.push(event);
    if (!this.#reader || this.#waking) return;
    this.#waking = true;
    this.#options.wakeLater(this);
  }
}
