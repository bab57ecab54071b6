import { LRUCache } from 'lru-cache';

/** Limit of the cached bytes. Lists are mostly requested again before they change. */
const limitBytes = 32 * 1024 * 1024;

/** Maximum number of runs of one object. The oldest is dropped, so that finding one stays cheap. */
const runsPerObject = 8;

/** Consecutive items of a list in a format, joined. */
export interface JoinedRun {
  readonly items: readonly RunMember[];
  /** '' is the stored JSON, each item with the comma before it. */
  readonly format: string;
  readonly bytes: Buffer;
  /** Removes it from the cache. */
  forget(): void;
}

/** An object whose list item may be in cached runs. */
export interface RunMember {
  /** True while the object is the present state of its key. */
  readonly isCurrent: boolean;
  /**
   * The runs that contain the object, oldest first; only this cache sets them. The object removes
   * them from the cache when it is replaced.
   */
  runs: readonly JoinedRun[];
}

/** The joined items of one list in formats other than the stored one. */
export interface JoinedItems {
  /** Finds joined items of a format whose first one has the index `from`. */
  find(format: string, from: number): { readonly count: number; readonly bytes: Buffer } | undefined;
  /** Caches the joined items from index `from` up to, but without, `to`. */
  keep(format: string, from: number, to: number, bytes: Buffer): void;
}

/** The state of a resource that a run's objects belong to. */
interface RunOwner {
  /** True after the state was dropped with all its objects. */
  readonly ended: boolean;
}

/** The runs of an object that is in none. */
export const noRuns: readonly JoinedRun[] = Object.freeze([]);

/**
 * Caches the joined items of selections, and of lists in other formats than the stored one, so that
 * the next such list sends the same bytes. A run is found by its objects, which never change, and
 * is dropped as soon as one of them is replaced: no list can contain it again.
 */
export class ListBytesCache {
  readonly #runs: LRUCache<JoinedRun, RunOwner>;

  constructor(limit = limitBytes) {
    this.#runs = new LRUCache({
      maxSize: limit,
      maxEntrySize: Math.floor(limit / 4),
      sizeCalculation: (_owner, { bytes }) => bytes.length,
      dispose: (_owner, run) => leave(run),
    });
  }

  /** Bytes of all cached runs. */
  get bytes(): number {
    return this.#runs.calculatedSize;
  }

  /** Finds the longest run whose items are consecutive in a list from index `from` on. */
  find(items: readonly RunMember[], from: number, format = ''): JoinedRun | undefined {
    const runs = items[from]?.runs ?? noRuns;
    if (runs.length === 0) return undefined;
    let longest: JoinedRun | undefined;
    for (const run of runs) {
      if (run.format !== format || run.items.length <= (longest?.items.length ?? 0)) continue;
      if (isAt(items, from, run)) longest = run;
    }
    // Marks it as used.
    if (longest) this.#runs.get(longest);
    return longest;
  }

  /** Caches joined items, unless they take too much space or one of them was replaced. */
  keep(owner: RunOwner, items: readonly RunMember[], bytes: Buffer, format = ''): void {
    if (owner.ended || bytes.length > this.#runs.maxEntrySize || !items.every(({ isCurrent }) => isCurrent)) return;
    // Two requests may have joined the same items at the same time.
    const isSame = (run: JoinedRun): boolean => run.format === format && run.items.length === items.length;
    if (items[0]?.runs.some((run) => isSame(run) && isAt(items, 0, run))) return;
    const run: JoinedRun = { items, format, bytes, forget: () => void this.#runs.delete(run) };
    const alone = Object.freeze([run]);
    for (const item of items) {
      if (item.runs.length === runsPerObject) item.runs[0]?.forget();
      item.runs = item.runs.length === 0 ? alone : [...item.runs, run];
    }
    this.#runs.set(run, owner);
  }

  /** Removes the runs of a state that was dropped. */
  forgetAll(owner: RunOwner): void {
    const dropped = [...this.#runs.entries()].filter(([, owned]) => owned === owner);
    for (const [run] of dropped) this.#runs.delete(run);
  }
}

/** Removes a run from its objects. */
function leave(run: JoinedRun): void {
  for (const item of run.items) {
    item.runs = item.runs.length === 1 ? noRuns : item.runs.filter((other) => other !== run);
  }
}

function isAt(items: readonly RunMember[], from: number, run: JoinedRun): boolean {
  return run.items.every((item, index) => items[from + index] === item);
}

/** Returns the joined items of a list of cached objects. */
export function joinedItems(cache: ListBytesCache, owner: RunOwner, objects: readonly RunMember[]): JoinedItems {
  return {
    find: (format, from) => {
      const run = cache.find(objects, from, format);
      return run && { count: run.items.length, bytes: run.bytes };
    },
    keep: (format, from, to, bytes) => cache.keep(owner, objects.slice(from, to), bytes, format),
  };
}
