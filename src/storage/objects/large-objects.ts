import type { CacheEntry } from './cache-entry.ts';
import { packedFromBytes } from './packed-json.ts';

/** Large objects are compressed when they have not changed for this time. */
const restMs = 60_000;

/** The large objects of a resource that changed recently, and are not compressed yet. */
export class LargeObjects {
  /** Oldest first. */
  readonly #waiting: { readonly object: CacheEntry; readonly sinceMs: number }[] = [];
  #isPacking = false;

  /** Takes an object that has entered the cache. */
  add(object: CacheEntry, nowMs: number): void {
    if (object.size >= packedFromBytes) this.#waiting.push({ object, sinceMs: nowMs });
  }

  /** Compresses the objects that have rested, one after the other, in another thread. */
  async pack(nowMs: number): Promise<void> {
    if (this.#isPacking) return;
    this.#isPacking = true;
    try {
      for (let first = this.#waiting[0]; first && nowMs - first.sinceMs >= restMs; first = this.#waiting[0]) {
        this.#waiting.shift();
        // An object that cannot be compressed, for want of memory, stays as it is.
        await first.object.pack().catch(() => undefined);
      }
    } finally {
      this.#isPacking = false;
    }
  }
}
