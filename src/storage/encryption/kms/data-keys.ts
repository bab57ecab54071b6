import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../async/maybe-promise.ts';

/** Decrypted keys of values, by their encrypted forms, so that a plugin is asked once for each. */
export class DataKeys {
  readonly #keys: LRUCache<string, Buffer> | undefined;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #onMiss: () => void;

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
    const asking = decrypt()
      .then((key) => {
        this.set(encrypted, key);
        return key;
      })
      .finally(() => this.#pending.delete(encrypted));
    this.#pending.set(encrypted, asking);
    return asking;
  }
}
