import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** The log of a reloaded value. */
export interface ReloadLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

type ChangeListener<T> = ((value: T) => void) | ((value: T) => Promise<void>);

/** The source of a reloaded value. */
interface ReloadOptions<T> {
  /** Name of the value in the log. */
  readonly what: string;
  /** Reads and validates the value. Rejects if it is unusable. */
  readonly read: () => Promise<T>;
  /** Time between two reads; 0 reads once. */
  readonly intervalMs: number;
  readonly log: ReloadLog;
  /** Called with the outcome of each reload, and of each read that fails. */
  readonly onReload?: (outcome: 'success' | 'failure') => void;
}

/**
 * A change is used if a second read this much later finds the same, because the files of one
 * change are not written at the same moment.
 */
const settleMs = 1_000;

/**
 * A value that is read from files again and again. Contents are compared and not file times, so
 * that replaced symbolic links (as in mounted Secrets) and network file systems work. If files are
 * missing, half-written or inconsistent, the last good value stays, and each new problem is logged
 * once.
 */
export class Reloaded<T> {
  readonly #options: ReloadOptions<T>;
  readonly #listeners: ChangeListener<T>[] = [];
  readonly #closing = new AbortController();
  #current: T;
  #problem = '';

  private constructor(options: ReloadOptions<T>, first: T) {
    this.#options = options;
    this.#current = first;
  }

  /** Reads the value for the first time. Rejects as `read` does. */
  static async open<T>(options: ReloadOptions<T>): Promise<Reloaded<T>> {
    return new Reloaded(options, await options.read());
  }

  /** The last good value; the same object until it changes. */
  get current(): T {
    return this.#current;
  }

  /**
   * Calls `listener` with each new value. If it fails, the previous value stays, and the new one is
   * tried again after the next read.
   */
  onChange(listener: ChangeListener<T>): void {
    this.#listeners.push(listener);
  }

  /** Starts to read the value at each interval, until `close`. */
  watch(): void {
    if (this.#options.intervalMs > 0) void this.#poll();
  }

  /** Stops the watch. */
  close(): void {
    this.#closing.abort();
  }

  async #poll(): Promise<void> {
    const { intervalMs } = this.#options;
    while (await this.#pause(intervalMs)) {
      const changed = await this.#changed();
      if (changed === undefined || !(await this.#pause(Math.min(intervalMs, settleMs)))) continue;
      const again = await this.#changed();
      if (again !== undefined && isDeepStrictEqual(changed, again)) await this.#use(again);
    }
  }

  /** Returns false if the watch was stopped. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#closing;
    return await sleep(ms, true, { ref: false, signal }).catch(() => false);
  }

  /** Reads the value; undefined if it is unusable or has not changed. */
  async #changed(): Promise<T | undefined> {
    const { what, read, log, onReload } = this.#options;
    try {
      const value = await read();
      this.#problem = '';
      return isDeepStrictEqual(value, this.#current) ? undefined : value;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem)
        log.warn({ err: error }, `${what} cannot be read; the previous one remains in use`);
      this.#problem = problem;
      onReload?.('failure');
      return undefined;
    }
  }

  async #use(value: T): Promise<void> {
    const { what, log, onReload } = this.#options;
    try {
      for (const listener of this.#listeners) await listener(value);
      this.#current = value;
      onReload?.('success');
      log.info({}, `${what} has changed and is now in use`);
    } catch (error) {
      onReload?.('failure');
      log.warn({ err: error }, `${what} has changed but cannot be used; the previous one remains in use`);
    }
  }
}
