import { onAbort } from '../../async/abort-signals.ts';
import { type Clock, runtimeClock } from '../clock.ts';
import type { QueueMetrics, QueueObserver } from './queue-metrics.ts';
import { controllerRetryRate, RetryDelays, type RetryRate } from './retry-delays.ts';

/** Removed entries at the front before the array is compacted. */
const compactionLimit = 1024;

/** A queue of items in the order in which they were added; both ends take constant time. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** Adds an item at the end. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the first item; undefined if there is none. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first > compactionLimit && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}

/** Options of a work queue. */
export interface WorkQueueOptions {
  /** The label of the queue's metrics. */
  readonly name?: string;
  /** As in client-go by default: 5 ms to 1,000 s for an item, 10 in a second for all. */
  readonly retryRate?: RetryRate;
  readonly metrics?: QueueMetrics;
  readonly clock?: Clock;
}

/** The work on the items of a queue. */
export interface ProcessOptions {
  /** Number of items that are worked on at the same time. The default is 1. */
  readonly concurrency?: number;
  /** Works on an item. If it fails, the item is retried after a delay that grows with failures. */
  readonly handle: (item: string) => Promise<void>;
  /** Called with each failure, and the delay until the retry. */
  readonly onError?: (error: unknown, item: string, retryMs: number) => void;
}

interface Delay {
  readonly dueMs: number;
  cancel: () => void;
}

/**
 * A queue of work items, which are texts such as `namespace/name`. An item is in the queue once,
 * whatever the number of its adds, and is never worked on twice at the same time: one that is added
 * during its work is queued again after it.
 *
 * @example
 * const queue = new WorkQueue();
 * queue.add('default/web');
 * await queue.process({ concurrency: 4, handle: (item) => work(item) }, signal);
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  readonly #delays: RetryDelays;
  readonly #ready = new Fifo<string>();
  /** Times of the adds of items that are to be worked on, those in work included. */
  readonly #wanted = new Map<string, number>();
  /** The times of the starts of items in work. */
  readonly #running = new Map<string, number>();
  readonly #delayed = new Map<string, Delay>();
  #pump: () => void = () => {};
  #pumpsSoon = false;

  constructor({ name = '', retryRate = controllerRetryRate, metrics, clock = runtimeClock }: WorkQueueOptions = {}) {
    this.#clock = clock;
    this.#delays = new RetryDelays(retryRate);
    this.#observer = metrics?.observe(name, () => {
      const nowMs = clock.nowMs();
      return [...this.#running.values()].map((startMs) => nowMs - startMs);
    });
  }

  /** Number of items that wait for a worker; delayed ones are not counted. */
  get length(): number {
    return this.#ready.length;
  }

  /** Adds an item, unless it is in the queue. */
  add(item: string): void {
    if (this.#wanted.has(item)) return;
    this.#wanted.set(item, this.#clock.nowMs());
    if (!this.#running.has(item)) this.#ready.push(item);
    this.#observer?.added(this.length);
    this.#pumpSoon();
  }

  /**
   * Adds an item after a delay, at once if that is not greater than 0. The earliest of several
   * times applies. Throws RangeError for NaN.
   */
  addAfter(item: string, delayMs: number): void {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    if (delayMs <= 0) return this.add(item);
    const dueMs = this.#clock.nowMs() + delayMs;
    const present = this.#delayed.get(item);
    if (present && present.dueMs <= dueMs) return;
    present?.cancel();
    this.#wait(item, dueMs);
  }

  /** Counts a failure of an item and adds it after its delay, which is returned. */
  retry(item: string): number {
    const delayMs = this.#delays.next(item, this.#clock.nowMs());
    this.#observer?.retried();
    this.addAfter(item, delayMs);
    return delayMs;
  }

  /** Forgets the failures of an item. */
  forget(item: string): void {
    this.#delays.forget(item);
  }

  /** The failures of an item since its last success. */
  failuresOf(item: string): number {
    return this.#delays.failuresOf(item);
  }

  /**
   * Works on the items until the signal aborts; resolves when the work in progress has ended.
   * Items that are left stay in the queue, delayed ones are dropped. A queue has one call at a
   * time.
   */
  process(options: ProcessOptions, signal: AbortSignal): Promise<void> {
    const { concurrency = 1 } = options;
    return new Promise((resolve) => {
      const pump = (): void => {
        while (!signal.aborted && this.#running.size < concurrency && this.length > 0) {
          void this.#work(options).then(pump);
        }
        if (signal.aborted && this.#running.size === 0) this.#end(resolve);
      };
      this.#pump = pump;
      onAbort(signal, pump);
      pump();
    });
  }

  /**
   * Starts work at the end of this turn of the event loop, so that several changes of an object, or
   * of the objects that it owns, which arrive together cause one call.
   */
  #pumpSoon(): void {
    if (this.#pumpsSoon) return;
    this.#pumpsSoon = true;
    setImmediate(() => {
      this.#pumpsSoon = false;
      this.#pump();
    });
  }

  async #work({ handle, onError }: ProcessOptions): Promise<void> {
    const item = this.#ready.shift() ?? '';
    const startMs = this.#clock.nowMs();
    this.#observer?.started(this.length, startMs - (this.#wanted.get(item) ?? startMs));
    this.#wanted.delete(item);
    this.#running.set(item, startMs);
    try {
      await handle(item);
      this.forget(item);
    } catch (error) {
      onError?.(error, item, this.retry(item));
    }
    this.#running.delete(item);
    this.#observer?.ended(this.#clock.nowMs() - startMs);
    if (this.#wanted.has(item)) this.#ready.push(item);
  }

  #wait(item: string, dueMs: number): void {
    const cancel = this.#clock.schedule(dueMs - this.#clock.nowMs(), () => {
      // Timers end early if the delay exceeds the longest one.
      if (this.#clock.nowMs() < dueMs - 1) return this.#wait(item, dueMs);
      this.#delayed.delete(item);
      this.add(item);
    });
    this.#delayed.set(item, { dueMs, cancel });
  }

  #end(resolve: () => void): void {
    this.#pump = () => {};
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    resolve();
  }
}
