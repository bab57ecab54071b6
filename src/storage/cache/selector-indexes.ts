import { abortable } from '../port/abortable.ts';
import type { EventLog } from './event-log.ts';
import { compareKeys } from '../port/key-order.ts';
import type { Candidates } from './list-page.ts';
import { everything, isInRange, type KeyRange, mergeByKey, type ObjectTree } from '../objects/object-tree.ts';
import type { SelectionTerm, SelectionTerms } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { SelectorIndex, type TermKey } from './selector-index.ts';
import { scanRange } from '../objects/yielding-scan.ts';

/** The state that is indexed. */
interface IndexedState {
  readonly log: EventLog;
  /** The revision of its last change. */
  readonly stateRevision: number;
  snapshot(): ObjectTree;
}

/** A present or past state. */
interface Snapshot {
  readonly tree: ObjectTree;
  readonly stateRevision: number;
}

/**
 * Maximum number of indexes of a resource. Each costs about 16 bytes per object that has the label
 * or field.
 */
const indexLimit = 8;

/**
 * Maximum number of terms of one selector that are looked up. Few are enough, because the filter
 * checks all.
 */
const termLimit = 4;

/** An index is dropped when no list has used it for this long. */
const idleMs = 300_000;

/** A resource with fewer objects is scanned, which is as fast. */
const fewObjects = 256;

/**
 * Indexes of a resource's objects by labels and fields. Each is built when a list first selects by
 * it, then updated from the log. An index returns the candidates in a snapshot; the filter decides
 * which are selected.
 */
export class SelectorIndexes {
  readonly #state: IndexedState;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #indexes = new Map<string, { readonly index: SelectorIndex; usedAtMs: number }>();
  readonly #making = new Map<string, Promise<void>>();

  constructor(state: IndexedState, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /**
   * Objects of a range in a snapshot, among them all for which the terms hold. Undefined if a scan
   * is as fast.
   */
  async candidates(
    snapshot: Snapshot,
    { all: terms, complete }: SelectionTerms,
    range: KeyRange,
    signal: AbortSignal | undefined,
  ): Promise<Candidates | undefined> {
    if (terms.length === 0 || snapshot.tree.size < fewObjects) return undefined;
    const some = terms.slice(0, termLimit);
    const missing = some.filter((term) => !this.#indexes.has(keyOf(term)));
    if (this.#making.size + missing.length > indexLimit) return undefined;
    if (missing.length > 0) await abortable(Promise.all(missing.map((term) => this.#made(term))), signal);
    // Synchronous from here, so that index, log and state are at one revision.
    const found = this.#smallest(some);
    // Objects of many values must be sorted.
    if (!found || found.count * Math.max(2, Math.log2(found.values.length)) > snapshot.tree.size) return undefined;
    const { log, stateRevision } = this.#state;
    if (snapshot.stateRevision < log.start) return undefined;
    const objects = found.index.objects(found.values, range);
    if (snapshot.stateRevision === stateRevision) return { objects, selected: complete && terms.length === 1 };
    return { objects: asOf(snapshot, objects, log, range), selected: false };
  }

  /**
   * Updates the indexes, so that lists have little to do, and drops indexes that are no longer
   * used.
   */
  upkeep(): void {
    for (const [key, { usedAtMs }] of this.#indexes) {
      if (usedAtMs < this.#now() - idleMs) this.#indexes.delete(key);
      else this.#moved(key);
    }
  }

  #smallest(terms: readonly SelectionTerm[]) {
    let smallest:
      | { readonly index: SelectorIndex; readonly values: readonly string[]; readonly count: number }
      | undefined;
    for (const { values, ...term } of terms) {
      const index = this.#used(keyOf(term));
      const count = index?.count(values) ?? Number.POSITIVE_INFINITY;
      if (index && (!smallest || count < smallest.count)) smallest = { index, values, count };
    }
    return smallest;
  }

  #used(key: string): SelectorIndex | undefined {
    const index = this.#moved(key);
    this.#indexes.delete(key);
    if (index) this.#indexes.set(key, { index, usedAtMs: this.#now() });
    return index;
  }

  /**
   * Updates an index to the present state; drops it if the log no longer covers the changes since
   * its revision.
   */
  #moved(key: string): SelectorIndex | undefined {
    const { log, stateRevision } = this.#state;
    const index = this.#indexes.get(key)?.index;
    if (!index) return undefined;
    if (index.revision < log.start) {
      this.#indexes.delete(key);
      return undefined;
    }
    for (const { previous, current } of netChanges(log.between(index.revision)).values()) {
      if (previous) index.remove(previous);
      if (current) index.add(current);
    }
    index.revision = stateRevision;
    return index;
  }

  #made(term: TermKey): Promise<void> {
    const key = keyOf(term);
    const making = this.#making.get(key) ?? this.#make(key, term);
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, term: TermKey): Promise<void> {
    const index = new SelectorIndex(term, this.#state.stateRevision);
    for await (const objects of scanRange(this.#state.snapshot(), everything, undefined)) {
      for (const object of objects) index.add(object);
    }
    this.#making.delete(key);
    for (const [oldest] of this.#indexes) {
      if (this.#indexes.size < indexLimit) break;
      this.#indexes.delete(oldest);
    }
    this.#indexes.set(key, { index, usedAtMs: this.#now() });
  }
}

function keyOf({ kind, name }: TermKey): string {
  return `${kind} ${name}`;
}

/**
 * The candidates of the present state, with the objects changed since a snapshot replaced by its
 * own.
 */
function asOf(
  { tree, stateRevision }: Snapshot,
  candidates: readonly CachedObject[],
  log: EventLog,
  range: KeyRange,
): readonly CachedObject[] {
  const changes = netChanges(log.between(stateRevision));
  const unchanged = candidates.filter(({ key }) => !changes.has(key));
  const changed = [...changes.keys()]
    .filter((key) => isInRange(key, range))
    .map((key) => tree.get(key))
    .filter((object) => object !== undefined)
    .toSorted((a, b) => compareKeys(a.key, b.key));
  return mergeByKey(unchanged, changed);
}

interface NetChange {
  readonly previous: CachedObject | undefined;
  readonly current: CachedObject | undefined;
}

/** The first previous and last current state of each object over several changes. */
function netChanges(events: readonly ResourceEvent[]): Map<string, NetChange> {
  const changes = new Map<string, NetChange>();
  for (const { key, previous, current } of events) {
    const before = changes.get(key);
    changes.set(key, { previous: before ? before.previous : previous, current });
  }
  return changes;
}
