import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { Semaphore } from '../../../async/semaphore.ts';
import { StorageError } from '../../port/storage-error.ts';

/**
 * The most concurrent decryptions by a plugin. A page of a list may need hundreds, and each must
 * meet its deadline even if the plugin processes them sequentially.
 */
const mostConcurrent = 10;

/** The cache of decrypted data keys, by their encrypted form. A plugin decrypts each only once. */
export class DataKeys {
  readonly #keys: LRUCache<string, Buffer> | undefined;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #onMiss: () => void;
  readonly #turns = new Semaphore(mostConcurrent);
  /** The last failure of the plugin itself. */
  #outage: StorageError | undefined;

  /** `most` is the size of the cache; 0 disables it. `onMiss` is called before each decryption. */
  constructor(most: number, onMiss: () => void) {
    this.#keys = most > 0 ? new LRUCache({ max: most }) : undefined;
    this.#onMiss = onMiss;
  }

  /** The number of cached keys. */
  get size(): number {
    return this.#keys?.size ?? 0;
  }

  /** Caches a known data key. */
  set(encrypted: string, key: Buffer): void {
    this.#keys?.set(encrypted, key);
  }

  /** Returns a data key. If it is not cached, `decrypt` is called once for all callers. */
  get(encrypted: string, decrypt: () => Promise<Buffer>): MaybePromise<Buffer> {
    const cached = this.#keys?.get(encrypted);
    if (cached) return cached;
    const pending = this.#pending.get(encrypted) ?? this.#ask(encrypted, decrypt);
    return pending;
  }

  #ask(encrypted: string, decrypt: () => Promise<Buffer>): Promise<Buffer> {
    this.#onMiss();
    const asking = this.#inTurn(decrypt)
      .then((key) => {
        this.set(encrypted, key);
        return key;
      })
      .finally(() => this.#pending.delete(encrypted));
    this.#pending.set(encrypted, asking);
    return asking;
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
