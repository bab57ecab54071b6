import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { Semaphore } from '../../../async/semaphore.ts';
import { StorageError } from '../../port/storage-error.ts';

/**
 * How many keys a plugin is asked for at a time. A page of a list may need hundreds, and one that
 * answers in turn must answer each before its deadline.
 */
const mostAsked = 10;

/** Decrypted keys of values, by their encrypted forms, so that a plugin is asked once for each. */
export class DataKeys {
  readonly #keys: LRUCache<string, Buffer> | undefined;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #onMiss: () => void;
  readonly #turns = new Semaphore(mostAsked);
  /** The last failure of the plugin itself. */
  #outage: StorageError | undefined;

  /** `most` is the number of cached keys; 0: each use asks. `onMiss` is called before it asks. */
  constructor(most: number, onMiss: () => void) {
    this.#keys = most > 0 ? new LRUCache({ max: most }) : undefined;
    this.#onMiss = onMiss;
  }

  /** The number of cached keys. */
  get size(): number {
    return this.#keys?.size ?? 0;
  }

  /** Caches a key that is known. */
  set(encrypted: string, key: Buffer): void {
    this.#keys?.set(encrypted, key);
  }

  /** Returns a key; `decrypt` asks for it if it is not cached, once for all that wait. */
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

  /** Waits for its turn. A plugin that fails meanwhile is not asked: each call would time out. */
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
