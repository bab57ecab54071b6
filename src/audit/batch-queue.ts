import type { AuditEvent } from './audit-event.ts';
import { TokenBucket } from '../async/token-bucket.ts';

/** How events are collected and written in the mode `batch`. */
export interface BatchOptions {
  /** The number of events that may wait; others are lost. */
  readonly bufferSize: number;
  readonly maxSize: number;
  /** How long an event waits for a batch to fill; 0: without limit. */
  readonly maxWaitMs: number;
  /** Limits the batches; undefined: no limit. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
}

interface BatchQueueOptions extends BatchOptions {
  /** Writes a batch. Never rejects. */
  readonly deliver: (events: readonly AuditEvent[]) => Promise<void>;
  /** The number of batches that are written at the same time. */
  readonly deliveries: number;
}

/** Collects events and delivers them in batches, in their order. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #tokens: TokenBucket | undefined;
  readonly #events: AuditEvent[] = [];
  #running = 0;
  /** Ends the wait of the first event, and the wait for the throttle. */
  readonly #timers: { due?: NodeJS.Timeout | undefined; token?: NodeJS.Timeout | undefined } = {};
  /** True if the first event has waited long enough for a smaller batch. */
  #isDue = false;
  #isClosing = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
    const { throttle } = options;
    this.#tokens = throttle && new TokenBucket({ perSecond: throttle.qps, burst: throttle.burst }, performance.now());
  }

  /** Takes an event. False if the buffer is full: the event is lost. */
  add(event: AuditEvent): boolean {
    if (this.#events.length >= this.#options.bufferSize) return false;
    this.#events.push(event);
    this.#deliver();
    return true;
  }

  /** Delivers the remaining events. Resolves when they are delivered or the time is over. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    this.#deliver();
    if (this.#events.length === 0 && this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      setTimeout(resolve, limitMs);
    });
    clearTimeout(this.#timers.due);
    clearTimeout(this.#timers.token);
  }

  #deliver(): void {
    while (this.#running < this.#options.deliveries && this.#isReady()) {
      const waitMs = this.#isClosing ? 0 : (this.#tokens?.take(performance.now()) ?? 0);
      if (waitMs > 0) return this.#wakeIn('token', waitMs);
      this.#deliverOne();
    }
    const { maxWaitMs } = this.#options;
    if (this.#events.length > 0 && maxWaitMs > 0) this.#wakeIn('due', maxWaitMs);
  }

  #isReady(): boolean {
    const { length } = this.#events;
    return length >= this.#options.maxSize || (length > 0 && (this.#isDue || this.#isClosing));
  }

  #deliverOne(): void {
    const { maxSize, deliver } = this.#options;
    const batch = this.#events.splice(0, maxSize);
    this.#isDue = false;
    clearTimeout(this.#timers.due);
    this.#timers.due = undefined;
    this.#running += 1;
    void deliver(batch).then(() => this.#delivered());
  }

  #delivered(): void {
    this.#running -= 1;
    this.#deliver();
    if (this.#running === 0 && this.#events.length === 0) this.#whenIdle?.();
  }

  #wakeIn(reason: 'due' | 'token', delayMs: number): void {
    this.#timers[reason] ??= setTimeout(() => {
      this.#timers[reason] = undefined;
      if (reason === 'due') this.#isDue = true;
      this.#deliver();
    }, delayMs).unref();
  }
}
