import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** The log of a value that is read again. */
interface ReloadLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** How a value is read and watched. */
interface ReloadOptions<T> {
  /** How the log names the value. */
  readonly what: string;
  /** Reads and checks the value. Rejects for one that cannot be used. */
  readonly read: () => Promise<T>;
  /** Time between two reads; 0 reads once. */
  readonly intervalMs: number;
  readonly log: ReloadLog;
}

/** A change must be there twice, this far apart, before it is used: files of one change are not written at once. */
const settleMs = 1_000;

/**
 * A value from files that is read again while the program runs. Contents are compared, not times of files, so that replaced
 * symbolic links (as Kubernetes mounts secrets) and network file systems need no special care. Where files are missing,
 * half-written or do not fit together, the last good value stays and the log says why, once for each reason.
 */
export class Reloaded<T> {
  readonly #options: ReloadOptions<T>;
  readonly #listeners: ((value: T) => void)[] = [];
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

  /** Calls a listener with each new value. */
  onChange(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the value again every so often, until `close`. */
  watch(): void {
    if (this.#options.intervalMs > 0) void this.#poll();
  }

  /** Ends the watch. */
  close(): void {
    this.#closing.abort();
  }

  async #poll(): Promise<void> {
    const { intervalMs } = this.#options;
    while (await this.#pause(intervalMs)) {
      const changed = await this.#changed();
      if (changed === undefined || !(await this.#pause(Math.min(intervalMs, settleMs)))) continue;
      const again = await this.#changed();
      if (again !== undefined && isDeepStrictEqual(changed, again)) this.#use(again);
    }
  }

  /** False when the watch has ended. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#closing;
    return await sleep(ms, true, { ref: false, signal }).catch(() => false);
  }

  /** What can be read now, where it is good and not the current value. */
  async #changed(): Promise<T | undefined> {
    const { what, read, log } = this.#options;
    try {
      const value = await read();
      this.#problem = '';
      return isDeepStrictEqual(value, this.#current) ? undefined : value;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem) log.warn({ err: error }, `${what} cannot be read again; the previous one stays`);
      this.#problem = problem;
      return undefined;
    }
  }

  #use(value: T): void {
    const { what, log } = this.#options;
    try {
      for (const listener of this.#listeners) listener(value);
      this.#current = value;
      log.info({}, `${what} has changed and is used from now on`);
    } catch (error) {
      log.warn({ err: error }, `${what} has changed and cannot be used; the previous one stays`);
    }
  }
}
