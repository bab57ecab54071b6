import type { ResourceEvent } from './resource-event.ts';

/** Limits of the history of one resource in memory. */
export interface EventLogLimits {
  readonly historyMs: number;
  readonly bytes: number;
  readonly events: number;
}

/**
 * The recent changes of one resource, oldest first; complete after revision `start`. Watches resume
 * from it, and past states are reconstructed by undoing it. Limited by age, bytes and count.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  #events: ResourceEvent[] = [];
  /**
   * Index of the first valid event. The array is cut when the dropped events are more than half of
   * it.
   */
  #head = 0;
  #bytes = 0;
  #start: number;
  #startIsEvent = false;

  constructor(start: number, limits: EventLogLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  /** All changes of the resource after this revision are in the log. */
  get start(): number {
    return this.#start;
  }

  /**
   * True if `start` is the revision of a change of this resource, so that a watch on the resource's
   * prefix shows when it is reached.
   */
  get startIsEvent(): boolean {
    return this.#startIsEvent;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  /** Bytes of all events. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Iterates the events, oldest first; the log must not change during the iteration. */
  *events(): Generator<ResourceEvent, void, undefined> {
    for (let at = this.#head; at < this.#events.length; at++) {
      const event = this.#events[at];
      if (event) yield event;
    }
  }

  /** Appends an event. Revisions must increase; this is not checked. */
  append(event: ResourceEvent, nowMs: number): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    this.trim(nowMs);
  }

  /** True if the log can hold these older changes in addition. */
  hasRoomFor(older: readonly ResourceEvent[]): boolean {
    const { bytes, events } = this.#limits;
    const olderBytes = older.reduce((sum, event) => sum + event.bytes, this.#bytes);
    return this.size + older.length <= events && olderBytes <= bytes;
  }

  /**
   * Inserts older changes. `events` must contain all changes after `start` up to the present start
   * of the log. Returns false if there is no room.
   */
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

  /**
   * Drops events that exceed the limits, and all that entered the cache up to `untilMs`. Drops all
   * changes of one revision together, because `start` excludes its own revision.
   */
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

  /**
   * The changes after `revision` up to and including `upTo`, oldest first. `revision` must not be
   * before `start`.
   */
  between(revision: number, upTo = Number.MAX_SAFE_INTEGER): ResourceEvent[] {
    return this.#events.slice(this.#after(revision), this.#after(upTo));
  }

  /**
   * The revision of the newest change at or before `revision`, or `start`. The state has not
   * changed since.
   */
  stateRevision(revision: number): number {
    const last = this.#events[this.#after(revision) - 1];
    return last && last.revision > this.#start ? last.revision : this.#start;
  }

  /** Index of the first change after `revision`. */
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
