import type { CacheEvent, ObjectFilter } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';

interface SubscriberOptions {
  readonly filter: ObjectFilter | undefined;
  /** Events up to here are not for this reader. */
  readonly afterRevision: number;
  /** So many bytes may wait. */
  readonly budgetBytes: number;
  /** Asks that `wake` be called at the end of the tick. */
  readonly wakeLater: (subscriber: Subscriber) => void;
  /** Called once, when nothing more may be offered. */
  readonly onEnd: (subscriber: Subscriber) => void;
}

/** What an event costs in a queue besides its object's bytes. */
const eventOverheadBytes = 256;

/**
 * The queue of one live watch. Its events are shared with all other watches; it holds references, bounded by the bytes behind
 * them. A reader that falls behind the bound is cut off, cleanly: what it got is without gaps, and it may resume behind it.
 */
export class Subscriber {
  readonly #options: SubscriberOptions;
  #queue: CacheEvent[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #end: { readonly error: Error | undefined } | undefined;
  #cutOff = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
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
    this.#wake?.();
    this.#wake = undefined;
  }

  /** What is queued, as one batch each time the reader comes back. */
  async *batches(): AsyncGenerator<readonly CacheEvent[], void, undefined> {
    for (;;) {
      if (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        this.#bytes = 0;
        yield batch;
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #push(event: CacheEvent, bytes: number): void {
    this.#bytes += bytes + eventOverheadBytes;
    if (this.#bytes > this.#options.budgetBytes) {
      this.#cutOff = true;
      this.close();
      return;
    }
    this.#queue.push(event);
    if (this.#wake) this.#options.wakeLater(this);
  }
}
