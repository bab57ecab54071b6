import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import type { CacheFollower } from '../../storage/cache/resource-cache.ts';

/** Takes a change of a key: the object before and after it; undefined if there is none. */
type TakeChange = (key: string, current: CachedObject | undefined, previous: CachedObject | undefined) => void;

/**
 * The changes of a resource that its reader has not taken yet. A cache passes changes at once; the
 * reader takes them when it needs them, so that objects which nobody reads are not parsed.
 */
export class PendingChanges implements CacheFollower {
  readonly #take: TakeChange;
  /** The objects that were taken. */
  readonly #taken = new Map<string, CachedObject>();
  /** Changes not taken yet, by key; undefined for a deleted object. */
  readonly #heard = new Map<string, CachedObject | undefined>();

  constructor(take: TakeChange) {
    this.#take = take;
  }

  replace(objects: Iterable<CachedObject>): void {
    this.#heard.clear();
    for (const key of this.#taken.keys()) this.#heard.set(key, undefined);
    for (const object of objects) this.#heard.set(object.key, object);
  }

  change(key: string, current: CachedObject | undefined): void {
    // An object that came and went since the last call leaves nothing to take.
    if (!current && !this.#taken.has(key)) this.#heard.delete(key);
    else this.#heard.set(key, current);
  }

  /** The number of changes that are not taken yet. */
  get size(): number {
    return this.#heard.size;
  }

  /**
   * Takes the pending changes. Returns undefined when done, or a promise if many changes are taken
   * in several loop turns; an aborted signal stops it there.
   */
  catchUp(signal: AbortSignal): Promise<void> | undefined {
    if (this.#heard.size === 0) return undefined;
    const start = performance.now();
    for (const [key, current] of this.#heard) {
      this.#heard.delete(key);
      this.#set(key, current);
      const rest = yieldIfLong(start);
      if (rest) return rest.then(() => (signal.aborted ? undefined : this.catchUp(signal)));
    }
    return undefined;
  }

  #set(key: string, current: CachedObject | undefined): void {
    const previous = this.#taken.get(key);
    if (previous === current) return;
    if (current) this.#taken.set(key, current);
    else this.#taken.delete(key);
    this.#take(key, current, previous);
  }
}
