import type { AuditBackend, AuditMode } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import { type BatchOptions, BatchQueue } from './batch-queue.ts';
import type { LostEvents } from './lost-events.ts';
import { sizeOf } from './truncate.ts';

interface WebhookBackendOptions {
  /** Posts an EventList. Rejects when all tries have failed, or with the reason of the signal. */
  readonly post: (json: string, signal: AbortSignal) => Promise<void>;
  /** Encodes events as an EventList. */
  readonly encode: (events: readonly AuditEvent[]) => string;
  readonly mode: AuditMode;
  readonly batch: BatchOptions;
  /** Larger batches are divided. */
  readonly maxBatchBytes: number;
  readonly lostEvents: LostEvents;
  /** Counts events that do not fit into the buffer. */
  readonly overflow: LostEvents;
}

/** A server that answers slowly gets this number of requests at the same time. */
const deliveries = 16;

/** A stopping server sends the remaining events within this time. */
const closeLimitMs = 5_000;

/** Sends events to a server as EventLists. */
export class WebhookBackend implements AuditBackend {
  readonly #options: WebhookBackendOptions;
  readonly #queue: BatchQueue;
  readonly #closing = new AbortController();

  constructor(options: WebhookBackendOptions) {
    this.#options = options;
    const deliver = (events: readonly AuditEvent[]) => this.#deliver(events);
    this.#queue = new BatchQueue({ ...options.batch, deliver, deliveries });
  }

  get isStrict(): boolean {
    return this.#options.mode === 'blocking-strict';
  }

  send(event: AuditEvent): Promise<boolean> | boolean {
    const { mode, overflow } = this.#options;
    if (mode !== 'batch') return this.#post([event]).then((isSent) => isSent || mode === 'blocking');
    if (this.#queue.add(event)) overflow.written();
    else overflow.lost(1, new Error('the buffer of audit events is full'));
    return true;
  }

  flush(): void {
    // A blocking send has ended before the response is sent.
  }

  async close(): Promise<void> {
    await this.#queue.close(closeLimitMs);
    this.#closing.abort(new Error('the server stops'));
  }

  async #deliver(events: readonly AuditEvent[]): Promise<void> {
    for (const part of divided(events, this.#options.maxBatchBytes)) await this.#post(part);
  }

  /** Returns false if the events are lost. */
  async #post(events: readonly AuditEvent[]): Promise<boolean> {
    const { post, encode, lostEvents } = this.#options;
    try {
      await post(encode(events), this.#closing.signal);
      lostEvents.written();
      return true;
    } catch (error) {
      lostEvents.lost(events.length, error instanceof Error ? error : new Error('unknown', { cause: error }));
      return false;
    }
  }
}

/** Divides events into parts of at most a number of bytes, or of one event. */
function* divided(events: readonly AuditEvent[], maxBytes: number): Generator<readonly AuditEvent[]> {
  let part: AuditEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = sizeOf(event);
    if (part.length > 0 && bytes + size > maxBytes) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(event);
    bytes += size;
  }
  yield part;
}
