import type { MaybePromise } from '../async/maybe-promise.ts';
import type { AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditFile } from './audit-file.ts';
import type { LostEvents } from './lost-events.ts';

interface BlockingLogOptions {
  readonly file: AuditFile;
  /** Encodes an event as a line with its line feed. */
  readonly lineOf: (event: AuditEvent) => string;
  /** True: each event is written when it is taken, and the result is returned. */
  readonly isStrict: boolean;
  readonly lostEvents: LostEvents;
}

/** Longer texts are written at once, although no response waits for them. */
const longestPendingChars = 1024 * 1024;

/**
 * Events that no response waits for are written after this time. Most requests end earlier, and
 * their arrival and their end are written together.
 */
const longestPendingMs = 5;

/**
 * Writes events to a file before the responses of their requests are sent, together with all that
 * happened before. A write to the page cache takes a few microseconds, less than handing it to
 * another thread. Files that a reader can block are written by other threads, and responses wait.
 */
export class BlockingLog implements AuditBackend {
  readonly #options: BlockingLogOptions;
  #pending = '';
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BlockingLogOptions) {
    this.#options = options;
  }

  get isStrict(): boolean {
    return this.#options.isStrict;
  }

  send(event: AuditEvent): MaybePromise<boolean> {
    const { file, lineOf, isStrict } = this.#options;
    const line = lineOf(event);
    if (!file.isRegular) return this.#written(line);
    if (this.#count === 0) this.#flushLater();
    this.#pending += line;
    this.#count += 1;
    if (isStrict) return this.#flush();
    if (this.#pending.length > longestPendingChars) this.#flush();
    return true;
  }

  flush(): void {
    if (this.#count > 0) this.#flush();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.flush();
    await this.#options.file.close();
  }

  /** The timer of an earlier event is used again, even if its event has been written. */
  #flushLater(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.flush(), longestPendingMs);
  }

  /** Returns false if the events are lost. */
  #flush(): boolean {
    const text = this.#pending;
    const count = this.#count;
    this.#pending = '';
    this.#count = 0;
    return this.#noted(count, this.#options.file.writeNow(text));
  }

  async #written(line: string): Promise<boolean> {
    return this.#noted(1, await this.#options.file.write(line)) || !this.#options.isStrict;
  }

  #noted(count: number, error: Error | undefined): boolean {
    const { lostEvents } = this.#options;
    if (error) lostEvents.lost(count, error);
    else lostEvents.written();
    return error === undefined;
  }
}
