import { type StoredValue, type StoreEvent, keyOf, revisionOf } from '../port/object-store.ts';
import { isUniqueEvent } from '../port/unique-value.ts';

/** Events after which a newer unique one is wanted, and the size of their values. */
const enough = Object.freeze({ events: 1_000, bytes: 4 << 20 });
/** The limits of events after which the witness is given up. */
const most = Object.freeze({ events: 10 * enough.events, bytes: 8 * enough.bytes });

/**
 * The newest event that no other history can have (`isUniqueEvent`), and all events after it. A
 * store that shows exactly these again has the same history: it agrees up to the unique event,
 * because that was written once, and from there on event by event.
 */
export class HistoryWitness {
  #events: StoreEvent[] = [];
  #bytes = 0;

  /** Takes the next events of the store, in order. */
  add(events: readonly StoreEvent[]): void {
    for (const event of events) this.#add(event);
    if (this.#exceeds(most)) this.clear();
  }

  /** True if another unique event should be written, so that this does not grow. */
  get isLong(): boolean {
    return this.#exceeds(enough);
  }

  clear(): void {
    this.#events = [];
    this.#bytes = 0;
  }

  /**
   * The comparison of a store with the events so far, all of which are at or before `revision`.
   * Undefined without a unique event.
   */
  check(revision: number): HistoryCheck | undefined {
    return this.#events.length > 0 ? new HistoryCheck([...this.#events], revision) : undefined;
  }

  #add(event: StoreEvent): void {
    if (isUniqueEvent(event)) this.clear();
    else if (this.#events.length === 0) return;
    this.#events.push(event);
    if (event.type === 'put') this.#bytes += event.current.value.length;
  }

  #exceeds(limit: { readonly events: number; readonly bytes: number }): boolean {
    return this.#events.length > limit.events || this.#bytes > limit.bytes;
  }
}

/** Compares the events that a store shows again with the events that it has shown before. */
export class HistoryCheck {
  readonly #expected: readonly StoreEvent[];
  readonly #revision: number;
  #matched = 0;

  constructor(expected: readonly StoreEvent[], revision: number) {
    this.#expected = expected;
    this.#revision = revision;
  }

  /** The watch that shows the events begins after this revision. */
  get afterRevision(): number {
    const [first] = this.#expected;
    return first ? revisionOf(first) - 1 : this.#revision;
  }

  /** True if the last of the events was at the revision up to which the store was known. */
  get endsWithEvent(): boolean {
    const last = this.#expected.at(-1);
    return last !== undefined && revisionOf(last) === this.#revision;
  }

  /** True once all events have been shown. */
  get complete(): boolean {
    return this.#matched === this.#expected.length;
  }

  /**
   * Compares the next events; those after the known revision are ignored. False if the history is
   * another one.
   */
  matches(events: readonly StoreEvent[]): boolean {
    for (const event of events) {
      if (revisionOf(event) > this.#revision) return this.complete;
      const expected = this.#expected[this.#matched];
      if (!expected || !isSameEvent(expected, event)) return false;
      this.#matched++;
    }
    return true;
  }
}

function isSameEvent(one: StoreEvent, other: StoreEvent): boolean {
  if (keyOf(one) !== keyOf(other) || revisionOf(one) !== revisionOf(other)) return false;
  if (one.type === 'delete' || other.type === 'delete') return one.type === other.type;
  return one.created === other.created && isSameValue(one.current, other.current);
}

function isSameValue(one: StoredValue, other: StoredValue): boolean {
  return Buffer.compare(one.value, other.value) === 0;
}
