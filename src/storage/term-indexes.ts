import { abortable } from './abortable.ts';
import type { EventLog } from './event-log.ts';
import { compareKeys } from './key-order.ts';
import type { Candidates } from './list-page.ts';
import { everything, isInRange, type KeyRange, mergeByKey, type ObjectTree } from './object-tree.ts';
import type { SelectionTerm, SelectionTerms } from './resource-cache.ts';
import type { ResourceEvent } from './resource-event.ts';
import type { SplicedObject } from './spliced-object.ts';
import { TermIndex, type TermKey } from './term-index.ts';
import { turns } from './portions.ts';

/** The state that is indexed. */
interface IndexedState {
  readonly log: EventLog;
  /** The revision of its last change. */
  readonly stateRevision: number;
  snapshot(): ObjectTree;
}

/** A state of now or of the past. */
interface Snapshot {
  readonly tree: ObjectTree;
  readonly stateRevision: number;
}

/** Labels and fields that are indexed at a time. Each costs some 16 bytes for each object that has it. */
const indexLimit = 8;

/** Terms of one selector that are looked up. One is enough where it is rare, and the filter knows them all. */
const termLimit = 4;

/** An index that no list has used for so long is given up. */
const idleMs = 300_000;

/** Fewer objects are all looked at: that is as fast. */
const fewObjects = 256;

/**
 * Indexes of a resource's objects by labels and fields, each made when a list first selects by it and moved on by the log. They tell
 * which objects of a snapshot may be selected; what is, the filter decides.
 */
export class TermIndexes {
  readonly #state: IndexedState;
  readonly #now: () => number;
  /** The least lately used first. */
  readonly #indexes = new Map<string, { readonly index: TermIndex; usedAtMs: number }>();
  readonly #making = new Map<string, Promise<void>>();

  constructor(state: IndexedState, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /**
   * The objects of a range in a snapshot among which are all that the terms hold for. Undefined where looking at all is as good.
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
    // From here nothing may wait: index, log and state are of one moment.
    const found = this.#smallest(some);
    // Objects of many values have to be put in order.
    if (!found || found.count * Math.max(2, Math.log2(found.values.length)) > snapshot.tree.size) return undefined;
    const { log, stateRevision } = this.#state;
    if (snapshot.stateRevision < log.start) return undefined;
    const objects = found.index.objects(found.values, range);
    if (snapshot.stateRevision === stateRevision) return { objects, selected: complete && terms.length === 1 };
    return { objects: asOf(snapshot, objects, log, range), selected: false };
  }

  /** Moves the indexes on, so that no list has much to do, and gives up those that none has used for long. */
  upkeep(): void {
    for (const [key, { usedAtMs }] of this.#indexes) {
      if (usedAtMs < this.#now() - idleMs) this.#indexes.delete(key);
      else this.#moved(key);
    }
  }

  #smallest(terms: readonly SelectionTerm[]) {
    let smallest: { readonly index: TermIndex; readonly values: readonly string[]; readonly count: number } | undefined;
    for (const { values, ...term } of terms) {
      const index = this.#used(keyOf(term));
      const count = index?.count(values) ?? Number.POSITIVE_INFINITY;
      if (index && (!smallest || count < smallest.count)) smallest = { index, values, count };
    }
    return smallest;
  }

  #used(key: string): TermIndex | undefined {
    const index = this.#moved(key);
    this.#indexes.delete(key);
    if (index) this.#indexes.set(key, { index, usedAtMs: this.#now() });
    return index;
  }

  /** An index as of now; undefined, and given up, where the log does not reach back to where it stands. */
  #moved(key: string): TermIndex | undefined {
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
    const index = new TermIndex(term, this.#state.stateRevision);
    for await (const objects of turns(this.#state.snapshot(), everything, undefined)) {
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

/** Candidates of now, with what changed since a snapshot as it was there. */
function asOf(
  { tree, stateRevision }: Snapshot,
  candidates: readonly SplicedObject[],
  log: EventLog,
  range: KeyRange,
): readonly SplicedObject[] {
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
  readonly previous: SplicedObject | undefined;
  readonly current: SplicedObject | undefined;
}

/** What became of each object over several changes. */
function netChanges(events: readonly ResourceEvent[]): Map<string, NetChange> {
  const changes = new Map<string, NetChange>();
  for (const { key, previous, current } of events) {
    const before = changes.get(key);
    changes.set(key, { previous: before ? before.previous : previous, current });
  }
  return changes;
}
