import sortedBtree from 'sorted-btree';
import { compareKeys, prefixEnd } from './key-order.ts';
import type { StoredValue, StoreEvent } from './object-store.ts';

/** A past or present state of one key; `value` is undefined from a deletion on. */
interface KeyState {
  readonly revision: number;
  readonly value: StoredValue | undefined;
}

/** The values of a range at one revision, which later writes do not change. */
interface RangeSnapshot {
  /** How many keys the range holds. */
  readonly count: number;
  readonly values: () => Iterable<StoredValue>;
}

/**
 * Every state of every key since the last compaction, as etcd keeps it: an ordered map of the present, the states of
 * each key by revision, and the log of changes. Revisions begin at 1, the empty store. Not thread-safe, never waits.
 */
export class MemoryHistory {
  #revision = 1;
  #oldest = 1;
  readonly #present = new sortedBtree.default<string, StoredValue>(undefined, compareKeys);
  readonly #states = new sortedBtree.default<string, KeyState[]>(undefined, compareKeys);
  /** The change of revision `#oldest + 1 + i` is at index i, for each write adds one revision and one change. */
  #log: StoreEvent[] = [];

  /** The revision of the newest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can still be read: that of the newest compaction. */
  get oldest(): number {
    return this.#oldest;
  }

  /** What the key holds now. */
  get(key: string): StoredValue | undefined {
    return this.#present.get(key);
  }

  /** What the key held at a revision that is neither compacted nor in the future. */
  getAt(key: string, revision: number): StoredValue | undefined {
    if (revision === this.#revision) return this.#present.get(key);
    return stateAt(this.#states.get(key), revision);
  }

  /** Writes a value. Both are kept as they are: the caller must not change the bytes afterwards. */
  put(key: string, value: Uint8Array): number {
    const revision = ++this.#revision;
    const current = { key, value, revision };
    const previous = this.#present.get(key);
    this.#present.set(key, current);
    this.#record(key, { revision, value: current });
    this.#log.push({ type: 'put', current, created: previous === undefined, previous });
    return revision;
  }

  /** Deletes a key that exists. */
  delete(key: string): number {
    const revision = ++this.#revision;
    const previous = this.#present.get(key);
    this.#present.delete(key);
    this.#record(key, { revision, value: undefined });
    this.#log.push({ type: 'delete', key, revision, previous });
    return revision;
  }

  /** The keys with a prefix, from `startKey` on, at a revision that is neither compacted nor in the future. */
  range(prefix: string, startKey: string, revision: number): RangeSnapshot {
    const low = compareKeys(startKey, prefix) > 0 ? startKey : prefix;
    return revision === this.#revision ? this.#rangeNow(prefix, low) : this.#rangeAt(prefix, low, revision);
  }

  /** Up to `limit` changes behind `afterRevision`, which must not be older than `oldest`. */
  changes(afterRevision: number, limit: number): readonly StoreEvent[] {
    const from = afterRevision - this.#oldest;
    return this.#log.slice(from, from + limit);
  }

  /** Forgets the states before `revision`, which must be newer than `oldest`, and the changes up to it. */
  compact(revision: number): void {
    this.#log = this.#log.slice(revision - this.#oldest);
    this.#oldest = revision;
    const gone: string[] = [];
    this.#states.forEachPair((key, states) => {
      const newest = lastIndexAt(states, revision);
      // The state at `revision` is still read, unless it says that the key did not exist.
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

/** Where the newest state not newer than `revision` is; -1 if the key was first written later. */
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
