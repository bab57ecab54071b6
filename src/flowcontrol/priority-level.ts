import { dealHand } from './shuffle-shard.ts';
import type { LevelSettings } from './level-settings.ts';
import type { DemandStatistics, SeatDemand } from './seat-demand.ts';

/** The reason why a request got no seat; a value of the metric `rejected_requests_total`. */
export type Rejection = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** A request to a priority level. */
interface LevelRequest {
  readonly schema: string;
  /** The user or namespace that the flow belongs to. */
  readonly distinguisher: string;
  /** How many seats the request takes: its share of the server's work. */
  readonly seats: number;
  /** Facts for `/debug/api_priority_and_fairness/dump_requests`. */
  readonly details: object;
}

/** A request in a priority level. Its `state` is set by the level. */
export interface Ticket {
  readonly request: LevelRequest;
  readonly queue: Queue;
  readonly arrivedMs: number;
  startedMs: number;
  state: 'waiting' | 'executing' | 'ended';
  /** Called when a waiting request gets its seats. */
  started: (() => void) | undefined;
}

/** Requests that wait for seats, and the seats that their flows have used. */
interface Queue {
  readonly index: number;
  readonly waiting: Ticket[];
  waitingSeats: number;
  executing: number;
  seatsInUse: number;
  /** The virtual time at which the next request of the queue would start. */
  virtualStartMs: number;
}

/**
 * How long a request is assumed to take while it runs; corrected at its end. A long time makes
 * other queues go first while a queue has requests running.
 */
const assumedMs = 180_000;

/** The number of flows whose hands are remembered, and the longest name of one. */
const knownHands = 4096;
const longestKnownFlow = 256;

/** Idle queues are kept up to this number: a level may have millions of them. */
const keptQueues = 1024;

/**
 * Distributes the seats of a priority level by fair queuing among flows. Each flow has a hand of
 * queues and uses the shortest one. A free seat goes to the queue with the earliest virtual finish
 * time, which grows with the seat-seconds that its requests used. Times are in milliseconds and
 * passed in by the caller. Source: the design of API priority and fairness (KEP-1040).
 */
export class PriorityLevel {
  #settings: LevelSettings;
  /** The number of seats. */
  #limit = 0;
  /** The queues in use and some idle ones, by number. */
  readonly #queues = new Map<number, Queue>();
  /** The queues in which requests wait. */
  readonly #waitingQueues = new Set<Queue>();
  readonly #hands = new Map<string, readonly number[]>();
  #seatsInUse = 0;
  #executing = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #activeQueues = 0;
  #virtualMs = 0;
  #lastMs = 0;
  /** The queue that was served last: the search for the next one begins behind it. */
  #served = -1;
  #lastDemand: DemandStatistics | undefined;
  /** The measured demand; undefined if levels do not borrow, because nothing reads it then. */
  readonly #demand: SeatDemand | undefined;

  constructor(settings: LevelSettings, demand?: SeatDemand) {
    this.#settings = settings;
    this.#demand = demand;
  }

  get settings(): LevelSettings {
    return this.#settings;
  }

  get limit(): number {
    return this.#limit;
  }

  get executing(): number {
    return this.#executing;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  /** The demand in the last period that has ended; undefined before the first end. */
  get lastDemand(): DemandStatistics | undefined {
    return this.#lastDemand;
  }

  get activeQueues(): number {
    return this.#activeQueues;
  }

  /** The queues that were used, in the order of their numbers. */
  get queues(): readonly Queue[] {
    return [...this.#queues.values()].toSorted((a, b) => a.index - b.index);
  }

  /** Uses other settings for later requests. Requests that wait keep their queue. */
  configure(settings: LevelSettings, limit: number, nowMs: number): void {
    if (settings.queues !== this.#settings.queues || settings.handSize !== this.#settings.handSize) this.#hands.clear();
    this.#settings = settings;
    this.#limit = limit;
    this.#dispatch(nowMs);
  }

  /** Changes the number of seats. */
  setLimit(limit: number, nowMs: number): void {
    if (limit === this.#limit) return;
    this.#advance(nowMs);
    this.#limit = limit;
    this.#dispatch(nowMs);
  }

  /** Ends a period of the measurement of demand. */
  endDemandPeriod(nowMs: number): DemandStatistics {
    const seats = this.#seatsInUse;
    const unmeasured = { highWatermark: seats, average: seats, deviation: 0, smoothed: seats };
    this.#lastDemand = this.#demand?.endPeriod(nowMs) ?? unmeasured;
    return this.#lastDemand;
  }

  /** Adds the seats of an exempt request when it starts; negative when it ends. */
  countExempt(seats: number, nowMs: number): void {
    this.#seatsInUse += seats;
    this.#executing += Math.sign(seats);
    this.#noteDemand(nowMs);
  }

  /**
   * Takes a request. Returns a ticket in the state `executing` or `waiting`, or the reason for its
   * rejection.
   */
  arrive(request: LevelRequest, nowMs: number): Ticket | Rejection {
    const { queueLengthLimit, queues } = this.#settings;
    const hasSeats = this.#waiting === 0 && this.#hasSeatsFor(request.seats);
    if (queues === 0 && !hasSeats) return 'concurrency-limit';
    const queue = this.#queueFor(request);
    if (!hasSeats && queue.waiting.length >= queueLengthLimit) return 'queue-full';
    this.#advance(nowMs);
    if (isIdle(queue)) {
      this.#activeQueues++;
      queue.virtualStartMs = this.#virtualMs;
    }
    const ticket: Ticket = { request, queue, arrivedMs: nowMs, startedMs: 0, state: 'waiting', started: undefined };
    if (hasSeats) this.#start(ticket, nowMs);
    else {
      this.#waitingQueues.add(queue);
      queue.waiting.push(ticket);
      queue.waitingSeats += request.seats;
      this.#waiting++;
      this.#waitingSeats += request.seats;
      this.#dispatch(nowMs);
    }
    this.#noteDemand(nowMs);
    return ticket;
  }

  /** Ends a request: frees its seats, or removes it from its queue. */
  leave(ticket: Ticket, nowMs: number): void {
    if (ticket.state === 'ended') return;
    this.#advance(nowMs);
    const { queue, request } = ticket;
    if (ticket.state === 'waiting') this.#stopWaiting(ticket);
    else {
      queue.executing--;
      queue.seatsInUse -= request.seats;
      queue.virtualStartMs -= (assumedMs - (nowMs - ticket.startedMs)) * request.seats;
      this.#executing--;
      this.#seatsInUse -= request.seats;
    }
    ticket.state = 'ended';
    if (isIdle(queue)) {
      this.#activeQueues--;
      if (this.#queues.size > keptQueues) this.#queues.delete(queue.index);
    }
    if (this.#waiting > 0) this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
  }

  #noteDemand(nowMs: number): void {
    this.#demand?.set(this.#seatsInUse + this.#waitingSeats, nowMs);
  }

  /** A request wider than all seats runs alone. */
  #hasSeatsFor(seats: number): boolean {
    return this.#seatsInUse + seats <= this.#limit || this.#seatsInUse === 0;
  }

  #queueFor({ schema, distinguisher }: LevelRequest): Queue {
    const { queues, handSize } = this.#settings;
    if (queues === 0) return this.#queueAt(0);
    const flow = `${schema}\0${distinguisher}`;
    let hand = this.#hands.get(flow);
    if (!hand) {
      hand = dealHand(flow, queues, handSize);
      if (this.#hands.size >= knownHands) this.#hands.clear();
      if (flow.length <= longestKnownFlow) this.#hands.set(flow, hand);
    }
    let shortest = hand[0] ?? 0;
    let least = Number.POSITIVE_INFINITY;
    for (const index of hand) {
      const queue = this.#queues.get(index);
      const seats = queue ? queue.waitingSeats + queue.seatsInUse : 0;
      if (seats >= least) continue;
      shortest = index;
      least = seats;
      if (seats === 0) break;
    }
    return this.#queueAt(shortest);
  }

  #queueAt(index: number): Queue {
    let queue = this.#queues.get(index);
    if (!queue) {
      queue = { index, waiting: [], waitingSeats: 0, executing: 0, seatsInUse: 0, virtualStartMs: 0 };
      this.#queues.set(index, queue);
    }
    return queue;
  }

  /** Lets virtual time pass: as fast as each active queue is served. */
  #advance(nowMs: number): void {
    const passedMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    if (this.#activeQueues === 0) return;
    const wanted = this.#seatsInUse + this.#waitingSeats;
    this.#virtualMs += (passedMs * Math.min(wanted, this.#limit)) / this.#activeQueues;
  }

  #dispatch(nowMs: number): void {
    while (this.#waiting > 0) {
      const next = this.#nextWaiting();
      if (!next || !this.#hasSeatsFor(next.request.seats)) return;
      this.#served = next.queue.index;
      this.#stopWaiting(next);
      this.#start(next, nowMs);
      next.started?.();
    }
  }

  /**
   * The request with the earliest virtual finish time; among equal ones the request of the next
   * queue.
   */
  #nextWaiting(): Ticket | undefined {
    let best: Ticket | undefined;
    let bestMs = Number.POSITIVE_INFINITY;
    for (const queue of this.#waitingQueues) {
      const [oldest] = queue.waiting;
      if (!oldest) continue;
      const finishMs = queue.virtualStartMs + assumedMs * oldest.request.seats;
      if (finishMs > bestMs || (best && finishMs === bestMs && !this.#isBefore(queue, best.queue))) continue;
      best = oldest;
      bestMs = finishMs;
    }
    return best;
  }

  /** True if a queue comes before another in the round that begins behind the one served last. */
  #isBefore(a: Queue, b: Queue): boolean {
    const [afterA, afterB] = [a.index > this.#served, b.index > this.#served];
    return afterA === afterB ? a.index < b.index : afterA;
  }

  #start(ticket: Ticket, nowMs: number): void {
    const { queue, request } = ticket;
    ticket.state = 'executing';
    ticket.startedMs = nowMs;
    queue.virtualStartMs += assumedMs * request.seats;
    queue.executing++;
    queue.seatsInUse += request.seats;
    this.#executing++;
    this.#seatsInUse += request.seats;
  }

  #stopWaiting(ticket: Ticket): void {
    const { queue, request } = ticket;
    queue.waiting.splice(queue.waiting.indexOf(ticket), 1);
    if (queue.waiting.length === 0) this.#waitingQueues.delete(queue);
    queue.waitingSeats -= request.seats;
    this.#waiting--;
    this.#waitingSeats -= request.seats;
  }
}

function isIdle(queue: Queue): boolean {
  return queue.executing === 0 && queue.waiting.length === 0;
}
