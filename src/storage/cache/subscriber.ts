import type { CacheEvent, ObjectFilter } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';

interface SubscriberOptions {
  readonly filter: ObjectFilter | undefined;
  /** Events up to this revision are skipped. */
  readonly afterRevision: number;
  /** The revision that the client knows. */
  readonly startRevision: number;
  /** Limit of the queue, in bytes. */
  readonly budgetBytes: number;
  /** Schedules a call of `wake` at the end of the tick; not called again before that. */
  readonly wakeLater: (subscriber: Subscriber) => void;
  /** Closes the subscription when it aborts. */
  readonly signal: AbortSignal;
  /** Called once, when the watch ends; later events are ignored. */
  readonly onEnd: (subscriber: Subscriber) => void;
}

/** The pending call of `next`. */
interface Reader {
  resolve(result: IteratorResult<readonly CacheEvent[], void>): void;
  reject(error: Error): void;
}

/** Bytes that an event counts in a queue besides its object's. */
const eventOverheadBytes = 256;

/** A reader with more events in its queue is slow, and may hold their objects for long. */
const promptEvents = 64;

/**
 * The queue of one live watch. Its only reader takes all queued events as one batch. Its events are
 * shared with all other watches; the queue holds references, limited by the bytes of their objects.
 * A reader that exceeds the limit is ended cleanly: the events it received have no gaps, and it may
 * resume after them. Implemented without a generator, which needs three promises per batch.
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

  /** True if the reader exceeded the queue limit. */
  get cutOff(): boolean {
    return this.#cutOff;
  }

  /** Queues the event if the filter selects it. */
  offer(event: ResourceEvent): void {
    if (this.#end || event.revision <= this.#options.afterRevision) return;
    try {
      const seen = event.seenBy(this.#options.filter, this.#options.startRevision);
      if (seen) this.#push(seen, event.bytes);
    } catch (error) {
      // A failing filter ends only its own watch.
      this.end(error instanceof Error ? error : new TypeError('the filter of a watch failed', { cause: error }));
    }
  }

  /**
   * Queues a bookmark for everything up to `revision`; ignored before the revision where the watch
   * starts.
   */
  bookmark(revision: number): void {
    if (this.#end || revision < this.#options.afterRevision) return;
    this.#push({ type: 'BOOKMARK', revision, initialEventsEnd: false }, 0);
  }

  /** Ends the watch after the queued events, with an error if one is given. */
  end(error?: Error): void {
    if (this.#end) return;
    this.#end = { error };
    this.#options.signal.removeEventListener('abort', this.#close);
    this.#options.onEnd(this);
    this.wake();
  }

  /** Drops the queue and ends the watch. */
  close(): void {
    this.#queue = [];
    this.end();
  }

  /** Passes the queue to the waiting reader. */
  wake(): void {
    this.#waking = false;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) this.#serve(reader);
  }

  /** The next batch; waits until there is one. */
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
    if (this.#queue.length > promptEvents) keepApart(event);
    if (!this.#reader || this.#waking) return;
    this.#waking = true;
    this.#options.wakeLater(this);
  }
}

function keepApart(event: CacheEvent): void {
  if (event.type === 'BOOKMARK') return;
  event.object.keepApart();
  event.previous?.keepApart();
}
