import type { StoredValue } from './object-store.ts';
import { isStored, type SplicedObject } from './spliced-object.ts';

/** Writes whose events do not come, as when the watch on the store is broken, are forgotten when there are so many. */
const limit = 256;

/**
 * Objects of this server's own writes until the stream shows them: read once, and held once. The stream is still the only source
 * of truth: an object is taken for what has come only where it has the same bytes.
 */
export class OwnWrites {
  readonly #expected = new Map<string, SplicedObject>();

  /** Takes note of an object whose event is still to come. */
  expect(object: SplicedObject): void {
    if (this.#expected.size >= limit) this.#expected.clear();
    this.#expected.set(object.key, object);
  }

  /** The object of a value that has come on the stream; undefined for a write of somebody else's. */
  take(stored: StoredValue): SplicedObject | undefined {
    const object = this.#expected.get(stored.key);
    if (!object || object.revision > stored.revision) return undefined;
    this.#expected.delete(stored.key);
    return isStored(object, stored) ? object : undefined;
  }
}
