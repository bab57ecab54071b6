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
 * Writes events to a file before the responses of their requests are sent. The events of one turn
 * of the event loop are written together. A write to the page cache takes a few microseconds, less
 * than handing it to another thread. Files that a reader can block are written by other threads,
 * and responses wait.
 */
export class BlockingLog implements AuditBackend {
  readonly #options: BlockingLogOptions;
  #pending = '';
  #count = 0;

  constructor(options: BlockingLogOptions) {
    this.#options = options;
  }

  send(event: AuditEvent): MaybePromise<boolean> {
    const { file, lineOf, isStrict } = this.#options;
    const line = lineOf(event);
    if (!file.isRegular) return this.#written(line);
    if (this.#count === 0) setImmediate(() => this.flush());
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
    this.flush();
    await this.#options.file.close();
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
