import type { StoredValue } from '../port/object-store.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { isStored } from '../objects/resource-reading.ts';

/**
 * Maximum number of pending writes. When it is reached, all are dropped: their events do not
 * arrive, for example because the watch on the store is broken.
 */
const limit = 256;

/**
 * Objects of this server's writes whose events have not arrived yet, so that an object is decoded
 * and held only once. The watch stays the only source of truth: an object is used only if the event
 * has the same bytes.
 */
export class PendingOwnWrites {
  readonly #expected = new Map<string, CachedObject>();

  /** Remembers an object whose event has not arrived yet. */
  expect(object: CachedObject): void {
    if (this.#expected.size >= limit) this.#expected.clear();
    this.#expected.set(object.key, object);
  }

  /** The object of a write at a key after a revision; undefined if there is none. */
  after(key: string, revision: number): CachedObject | undefined {
    const object = this.#expected.get(key);
    return object && object.revision > revision ? object : undefined;
  }

  /**
   * Takes the object of a value that arrived on the watch; undefined if another server wrote it.
   */
  take(stored: StoredValue): CachedObject | undefined {
    const object = this.#expected.get(stored.key);
    if (!object || object.revision > stored.revision) return undefined;
    this.#expected.delete(stored.key);
    return isStored(object, stored) ? object : undefined;
  }
}
