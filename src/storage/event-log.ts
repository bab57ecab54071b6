import type { ResourceEvent } from './resource-event.ts';

/** How much history a resource keeps in memory. */
export interface EventLogLimits {
  readonly historyMs: number;
  readonly bytes: number;
  readonly events: number;
}

/**
 * The recent changes of one resource, oldest first: complete after revision `start`. Watches resume from it, and past states
 * are found by undoing it. Bounded by age, bytes and count.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  #events: ResourceEvent[] = [];
  /** Events before this place have been forgotten; the array is cut when they are the half of it. */
  #head = 0;
  #bytes = 0;
  #start: number;
  #startIsEvent = false;

  constructor(start: number, limits: EventLogLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  /** All changes of the resource after this revision are here. */
  get start(): number {
    return this.#start;
  }

  /** Whether `start` is the revision of a change of this resource, so that the store's history of the resource shows it. */
  get startIsEvent(): boolean {
    return this.#startIsEvent;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  /** Of all its events. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Its events, oldest first; the log must not change meanwhile. */
  *events(): Generator<ResourceEvent, void, undefined> {
    for (let at = this.#head; at < this.#events.length; at++) {
      const event = this.#events[at];
      if (event) yield event;
    }
  }

  /** Revisions rise; the log does not check. */
  append(event: ResourceEvent, nowMs: number): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    this.trim(nowMs);
  }

  /** Whether older changes may be put before those that are here. */
  hasRoomFor(older: readonly ResourceEvent[]): boolean {
    const { bytes, events } = this.#limits;
    const olderBytes = older.reduce((sum, event) => sum + event.bytes, this.#bytes);
    return this.size + older.length <= events && olderBytes <= bytes;
  }

  /** Puts the changes after `start` before those that are here, which they must reach; answers whether there was room. */
  prepend(start: number, events: readonly ResourceEvent[]): boolean {
    const older = events.filter((event) => event.revision <= this.#start);
    if (!this.hasRoomFor(older)) return false;
    this.#events = [...older, ...this.#events.slice(this.#head)];
    this.#head = 0;
    this.#bytes = older.reduce((sum, event) => sum + event.bytes, this.#bytes);
    this.#start = start;
    this.#startIsEvent = false;
    return true;
  }

  /** Forgets what is over the limits, and all that came up to `untilMs`: whole revisions, since the log begins behind one. */
  trim(nowMs: number, untilMs = Number.NEGATIVE_INFINITY): void {
    const { historyMs, bytes, events } = this.#limits;
    for (let first = this.#events[this.#head]; first; first = this.#events[this.#head]) {
      const isYoung = first.atMs >= nowMs - historyMs && first.atMs > untilMs;
      const fits = this.#bytes <= bytes && this.size <= events;
      if (isYoung && fits && first.revision > this.#start) break;
      this.#bytes -= first.bytes;
      this.#start = first.revision;
      this.#startIsEvent = true;
      this.#head++;
    }
    if (this.#head * 2 > this.#events.length && this.#head > 16) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The changes after `revision` and up to `upTo`, oldest first. `revision` must not be before `start`. */
  between(revision: number, upTo = Number.MAX_SAFE_INTEGER): ResourceEvent[] {
    return this.#events.slice(this.#after(revision), this.#after(upTo));
  }

  /** The revision of the newest change up to `revision`, or `start`: the state has been the same since. */
  stateRevision(revision: number): number {
    const last = this.#events[this.#after(revision) - 1];
    return last && last.revision > this.#start ? last.revision : this.#start;
  }

  /** The place of the first change after `revision`. */
  #after(revision: number): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
