import { LRUCache } from 'lru-cache';
import { StorageError } from '../../port/storage-error.ts';
import { DecryptionError } from '../ciphers/transformer.ts';

/** Asks the plugin for a key. */
type AskForKey = () => Promise<Buffer>;

/** The plugin of the keys, and the times after which one is refused. */
export interface RefusedKeysOptions {
  /** Resolves if the plugin encrypts and decrypts another key now. */
  readonly check: () => Promise<void>;
  /** Called when keys that were refused are decrypted again. */
  readonly onRecovered: (keys: ReadonlyMap<string, Buffer>) => void;
  readonly times?: RefusalTimes;
}

/** Times in milliseconds, and a number of calls. */
interface RefusalTimes {
  /** A key is refused after this many failures over at least this time. */
  readonly failures: number;
  readonly failingMs: number;
  /** How often the plugin is asked for refused keys. */
  readonly againMs: number;
}

const defaultTimes: RefusalTimes = { failures: 5, failingMs: 30_000, againMs: 60_000 };

interface RefusedKey {
  readonly failures: number;
  readonly sinceMs: number;
  readonly ask: AskForKey;
  /** Set once the values with this key are unreadable. */
  readonly refusal: DecryptionError | undefined;
}

/** Keys that are remembered. One that is forgotten is asked for again. */
const mostKeys = 10_000;
/** Keys that a plugin is asked for again at a time. */
const mostAsked = 10;

/**
 * The keys that a plugin does not decrypt. A failure that may pass holds up the readers of the key;
 * one that lasts while the plugin works for others is about the key, whose values are unreadable
 * then. The plugin is asked for such keys again and again.
 */
export class RefusedKeys {
  readonly #options: RefusedKeysOptions;
  readonly #times: RefusalTimes;
  readonly #keys = new LRUCache<string, RefusedKey>({ max: mostKeys });
  #checking: Promise<boolean> | undefined;
  /** The last refusal: until some time after it other keys that fail need no time of their own. */
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RefusedKeysOptions) {
    this.#options = options;
    this.#times = options.times ?? defaultTimes;
  }

  /** Why the values with a key are unreadable; undefined if the plugin is to be asked. */
  refusalOf(encrypted: string): DecryptionError | undefined {
    return this.#keys.get(encrypted)?.refusal;
  }

  /** Asks for a key. Throws Unavailable if it may come later, else DecryptionError. */
  async ask(encrypted: string, ask: AskForKey): Promise<Buffer> {
    try {
      const key = await ask();
      this.#keys.delete(encrypted);
      return key;
    } catch (error) {
      return await this.#failed(encrypted, ask, error);
    }
  }

  /** Asks for no key any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Throws a failure, or the refusal of the key. Returns the key if a second call has it. */
  async #failed(encrypted: string, ask: AskForKey, error: unknown): Promise<Buffer> {
    const nowMs = performance.now();
    const { failures: before = 0, sinceMs = nowMs } = this.#keys.get(encrypted) ?? {};
    const failures = before + 1;
    this.#keys.set(encrypted, { failures, sinceMs, ask, refusal: undefined });
    this.#askLater();
    if (!(error instanceof StorageError) || error.code !== 'Unavailable') throw error;
    const { failures: most, failingMs, againMs } = this.#times;
    const lasts = failures >= most && nowMs - sinceMs >= failingMs;
    if (!lasts && nowMs - this.#refusedAtMs > 2 * againMs) throw error;
    if (!(await this.#works())) {
      this.#keys.delete(encrypted);
      throw error;
    }
    // Another key was refused, and this failure is the first: it may pass, as a timeout does.
    const key = lasts ? undefined : await ask().catch(() => undefined);
    if (key) {
      this.#keys.delete(encrypted);
      return key;
    }
    const message = `${error.message}; it fails for this key alone, and was asked ${failures} times`;
    const refusal = new DecryptionError(message, { cause: error });
    this.#refusedAtMs = performance.now();
    this.#keys.set(encrypted, { failures, sinceMs, ask, refusal });
    throw refusal;
  }

  /** True if the plugin works for another key now. Callers that ask meanwhile share a check. */
  #works(): Promise<boolean> {
    this.#checking ??= this.#options
      .check()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  #askLater(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => void this.#askAgain(), this.#times.againMs).unref();
  }

  /** Asks for some of the keys; those that fail again are last the next time. */
  async #askAgain(): Promise<void> {
    const oldest = [...this.#keys.rkeys()].slice(0, mostAsked);
    const found = new Map<string, Buffer>();
    const asked = oldest.map(async (encrypted) => {
      try {
        const key = await this.#keys.peek(encrypted)?.ask();
        if (key) found.set(encrypted, key);
        this.#keys.delete(encrypted);
      } catch {
        // The use moves it behind the others.
        this.#keys.get(encrypted);
      }
    });
    await Promise.all(asked);
    this.#timer = undefined;
    if (this.#closed) return;
    if (this.#keys.size > 0) this.#askLater();
    if (found.size > 0) this.#options.onRecovered(found);
  }
}
