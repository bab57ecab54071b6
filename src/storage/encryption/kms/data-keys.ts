import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { Semaphore } from '../../../async/semaphore.ts';
import { StorageError } from '../../port/storage-error.ts';
import { RefusedKeys, type RefusedKeysOptions } from './refused-keys.ts';

/**
 * The most concurrent decryptions by a plugin. A page of a list may need hundreds, and each must
 * meet its deadline even if the plugin processes them sequentially.
 */
const mostConcurrent = 10;

/** How data keys are cached and decrypted. */
interface DataKeysOptions extends Omit<RefusedKeysOptions, 'onRecovered'> {
  /** The size of the cache; 0 disables it. */
  readonly most: number;
  /** Called before each decryption. */
  readonly onMiss: () => void;
  /** Called when values that were unreadable can be read again. */
  readonly onRecovered: () => void;
}

/** The cache of decrypted data keys, by their encrypted form. A plugin decrypts each only once. */
export class DataKeys {
  readonly #keys: LRUCache<string, Buffer> | undefined;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #onMiss: () => void;
  readonly #turns = new Semaphore(mostConcurrent);
  readonly #refused: RefusedKeys;
  /** The last failure of the plugin itself. */
  #outage: StorageError | undefined;

  constructor({ most, onMiss, onRecovered, ...refusals }: DataKeysOptions) {
    this.#keys = most > 0 ? new LRUCache({ max: most }) : undefined;
    this.#onMiss = onMiss;
    this.#refused = new RefusedKeys({
      ...refusals,
      onRecovered: (found) => {
        for (const [encrypted, key] of found) this.set(encrypted, key);
        onRecovered();
      },
    });
  }

  /** The number of cached keys. */
  get size(): number {
    return this.#keys?.size ?? 0;
  }

  /** Caches a known data key. */
  set(encrypted: string, key: Buffer): void {
    this.#keys?.set(encrypted, key);
  }

  /**
   * Returns a data key. If it is not cached, `decrypt` is called once for all callers. Throws
   * DecryptionError for a key that the plugin refuses, and Unavailable if it may come later.
   */
  get(encrypted: string, decrypt: () => Promise<Buffer>): MaybePromise<Buffer> {
    const cached = this.#keys?.get(encrypted);
    if (cached) return cached;
    const refusal = this.#refused.refusalOf(encrypted);
    if (refusal) throw refusal;
    const pending = this.#pending.get(encrypted) ?? this.#ask(encrypted, decrypt);
    return pending;
  }

  #ask(encrypted: string, decrypt: () => Promise<Buffer>): Promise<Buffer> {
    this.#onMiss();
    const asking = this.#inTurn(() => this.#refused.ask(encrypted, decrypt))
      .then((key) => {
        this.set(encrypted, key);
        return key;
      })
      .finally(() => this.#pending.delete(encrypted));
    this.#pending.set(encrypted, asking);
    return asking;
  }

  /** Stops asking for refused keys. */
  close(): void {
    this.#refused.close();
  }

  /**
   * Waits for its turn. If the plugin fails meanwhile, it is not called, because each call would
   * time out.
   */
  async #inTurn(decrypt: () => Promise<Buffer>): Promise<Buffer> {
    const before = this.#outage;
    await this.#turns.acquire(undefined);
    try {
      if (this.#outage && this.#outage !== before) throw this.#outage;
      return await decrypt();
    } catch (error) {
      if (error instanceof StorageError && error.code === 'Unavailable') this.#outage = error;
      throw error;
    } finally {
      this.#turns.release();
    }
  }
}
