import sortedBtree from 'sorted-btree';
import { compareKeys, prefixEnd } from '../port/key-order.ts';
import type { StoredValue, StoreEvent } from '../port/object-store.ts';

/** The state of one key from `revision` on; `value` is undefined after a delete. */
interface KeyState {
  readonly revision: number;
  readonly value: StoredValue | undefined;
}

/** The values of a key range at one revision; later writes do not change it. */
interface RangeSnapshot {
  /** Number of keys in the range. */
  readonly count: number;
  readonly values: () => Iterable<StoredValue>;
}

/**
 * All states of all keys since the last compaction, with etcd's semantics: an ordered map of the
 * current values, the states of each key by revision, and a log of changes. The empty store has
 * revision 1. Synchronous.
 */
export class MemoryHistory {
  #revision = 1;
  #oldest = 1;
  readonly #present = new sortedBtree.default<string, StoredValue>(undefined, compareKeys);
  readonly #states = new sortedBtree.default<string, KeyState[]>(undefined, compareKeys);
  /**
   * Index i holds the change of revision `#oldest + 1 + i`, because each write makes one revision
   * and one change.
   */
  #log: StoreEvent[] = [];

  /** The revision of the newest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest readable revision: the revision of the last compaction. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The current value of a key. */
  get(key: string): StoredValue | undefined {
    return this.#present.get(key);
  }

  /** The value of a key at a revision that is neither compacted nor in the future. */
  getAt(key: string, revision: number): StoredValue | undefined {
    if (revision === this.#revision) return this.#present.get(key);
    return stateAt(this.#states.get(key), revision);
  }

  /**
   * Writes a value and returns its revision. The value is not copied: the caller must not change
   * the bytes afterwards.
   */
  put(key: string, value: Uint8Array): number {
    const revision = ++this.#revision;
    const current = { key, value, revision };
    const previous = this.#present.get(key);
    this.#present.set(key, current);
    this.#record(key, { revision, value: current });
    this.#log.push({ type: 'put', current, created: previous === undefined, previous });
    return revision;
  }

  /** Deletes an existing key and returns the revision. */
  delete(key: string): number {
    const revision = ++this.#revision;
    const previous = this.#present.get(key);
    this.#present.delete(key);
    this.#record(key, { revision, value: undefined });
    this.#log.push({ type: 'delete', key, revision, previous });
    return revision;
  }

  /**
   * The keys with a prefix, from `startKey` on, at a revision that is neither compacted nor in the
   * future.
   */
  range(prefix: string, startKey: string, revision: number): RangeSnapshot {
    const low = compareKeys(startKey, prefix) > 0 ? startKey : prefix;
    return revision === this.#revision ? this.#rangeNow(prefix, low) : this.#rangeAt(prefix, low, revision);
  }

  /** Up to `limit` changes after `afterRevision`, which must not be before `oldest`. */
  changes(afterRevision: number, limit: number): readonly StoreEvent[] {
    const from = afterRevision - this.#oldest;
    return this.#log.slice(from, from + limit);
  }

  /** Drops the states before `revision`, which must be after `oldest`, and the changes up to it. */
  compact(revision: number): void {
    this.#log = this.#log.slice(revision - this.#oldest);
    this.#oldest = revision;
    const gone: string[] = [];
    this.#states.forEachPair((key, states) => {
      const newest = lastIndexAt(states, revision);
      // The state at `revision` is still readable, unless it is a delete.
      const keptFrom = newest >= 0 && states[newest]?.value === undefined ? newest + 1 : Math.max(newest, 0);
      if (keptFrom === states.length) gone.push(key);
      else if (keptFrom > 0) states.splice(0, keptFrom);
    });
    for (const key of gone) this.#states.delete(key);
  }

  #record(key: string, state: KeyState): void {
    const states = this.#states.get(key);
    if (states) states.push(state);
    else this.#states.set(key, [state]);
  }

  #rangeNow(prefix: string, low: string): RangeSnapshot {
    // A clone shares its nodes with the original until one of them changes.
    const snapshot = this.#present.clone();
    const end = prefixEnd(prefix);
    const high = end ?? snapshot.maxKey() ?? low;
    return {
      count: snapshot.forRange(low, high, end === undefined),
      *values() {
        for (const [key, value] of snapshot.entries(low)) {
          if (!key.startsWith(prefix)) return;
          yield value;
        }
      },
    };
  }

  #rangeAt(prefix: string, low: string, revision: number): RangeSnapshot {
    const values: StoredValue[] = [];
    for (const [key, states] of this.#states.entries(low)) {
      if (!key.startsWith(prefix)) break;
      const value = stateAt(states, revision);
      if (value) values.push(value);
    }
    return { count: values.length, values: () => values };
  }
}

function stateAt(states: readonly KeyState[] | undefined, revision: number): StoredValue | undefined {
  return states?.[lastIndexAt(states, revision)]?.value;
}

/** Index of the newest state at or before `revision`; -1 if the key was first written later. */
function lastIndexAt(states: readonly KeyState[], revision: number): number {
  let low = 0;
  let high = states.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((states[middle]?.revision ?? Infinity) <= revision) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
