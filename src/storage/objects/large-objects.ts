import type { CacheEntry } from './cache-entry.ts';
import { packedFromBytes } from './packed-json.ts';

/** Large objects are compressed when they have not changed for this time. */
const restMs = 60_000;

/** The used part of an object of the cache. */
type LargeObject = Pick<CacheEntry, 'size' | 'pack'>;

/** The large objects of a resource that changed recently, and are not compressed yet. */
export class LargeObjects {
  /** By key, oldest change first. Only present versions: an object may change very often. */
  readonly #waiting = new Map<string, { readonly object: LargeObject; readonly sinceMs: number }>();
  #isPacking = false;

  /** Takes the object that a key has now; undefined if it was deleted. */
  changed(key: string, object: LargeObject | undefined, nowMs: number): void {
    if (this.#waiting.size > 0) this.#waiting.delete(key);
    if (object && object.size >= packedFromBytes) this.#waiting.set(key, { object, sinceMs: nowMs });
  }

  /** Compresses the objects that have rested, one after the other, in another thread. */
  async pack(nowMs: number): Promise<void> {
    if (this.#isPacking) return;
    this.#isPacking = true;
    try {
      for (const [key, { object, sinceMs }] of this.#waiting) {
        if (nowMs - sinceMs < restMs) break;
        this.#waiting.delete(key);
        // An object that cannot be compressed, for want of memory, stays as it is.
        await object.pack().catch(() => undefined);
      }
    } finally {
      this.#isPacking = false;
    }
  }
}
