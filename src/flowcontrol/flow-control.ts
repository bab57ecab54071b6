import type { UserInfo } from '../meta/user-info.ts';
import { adjustSeats, type BorrowingLevel, seatBounds } from './borrowing.ts';
import type { FlowMetrics, FlowSeries } from './flow-metrics.ts';
import { compareSchemas, type FlowSchema, rulesFor } from './flow-schema.ts';
import type { LevelSettings } from './level-settings.ts';
import { PriorityLevel, type Rejection, type Ticket } from './priority-level.ts';
import { SeatDemand } from './seat-demand.ts';
import type { RequestDigest } from './shuffle-shard.ts';

/** The period after which the seats are divided again. */
const adjustmentMs = 10_000;

/** The schema and the level that a request belongs to. */
interface Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly series: FlowSeries;
}

/** A schema with the rules that apply to one user. */
interface UserFlow {
  readonly flow: Flow;
  readonly rules: ReturnType<typeof rulesFor>;
}

/** A request that has its seats, or waits for them. */
export interface Admission {
  readonly flow: Flow;
  /** The ticket for the seats; undefined if the request is never limited. */
  readonly ticket: Ticket | undefined;
  /** The seats of a request that is never limited; 0 if they are not counted. */
  readonly seats: number;
}

/** The options of flow control. */
interface FlowControlOptions {
  /** The number of seats of all priority levels together. */
  readonly seats: number;
  readonly metrics: FlowMetrics;
  /** True if levels borrow seats from each other, as since 1.26. */
  readonly borrowing?: boolean;
  /** Returns the time in milliseconds; it never goes back. */
  readonly now: () => number;
}

/**
 * Classifies requests by flow schemas, and limits the requests of each priority level by fair
 * queuing (API priority and fairness). It does nothing until it is configured.
 */
export class FlowControl {
  readonly #seats: number;
  readonly #metrics: FlowMetrics;
  readonly #now: () => number;
  readonly #borrowing: boolean;
  /** The configured levels with the bounds of their seats; none if levels do not borrow. */
  #borrowers: readonly BorrowingLevel[] = [];
  #adjustedMs = 0;
  /** Levels that are configured, and removed ones until their requests have ended. */
  readonly #levels = new Map<string, PriorityLevel>();
  #flows: readonly Flow[] = [];
  /** The flows that a user can have. Most authenticators return the same user object each time. */
  #flowsOf = new WeakMap<UserInfo, readonly UserFlow[]>();

  constructor({ seats, metrics, borrowing = false, now }: FlowControlOptions) {
    this.#borrowing = borrowing;
    this.#seats = seats;
    this.#metrics = metrics;
    this.#now = now;
  }

  /** The configured levels with the bounds of their seats; none if levels do not borrow. */
  get borrowers(): readonly BorrowingLevel[] {
    return this.#borrowers;
  }

  /** The levels in the order of their names. */
  get levels(): readonly PriorityLevel[] {
    return [...this.#levels.values()].toSorted((a, b) => (a.settings.name < b.settings.name ? -1 : 1));
  }

  /** Uses these schemas and levels from now on. Schemas without a level are ignored. */
  configure(schemas: readonly FlowSchema[], levels: readonly LevelSettings[]): void {
    const names = new Set(levels.map(({ name }) => name));
    for (const [name, level] of this.#levels) {
      if (!names.has(name) && level.executing + level.waiting === 0) this.#levels.delete(name);
    }
    const nowMs = this.#now();
    const added = new Set<string>();
    for (const settings of levels) {
      if (this.#levels.has(settings.name)) continue;
      const demand = this.#borrowing ? new SeatDemand(nowMs) : undefined;
      this.#levels.set(settings.name, new PriorityLevel(settings, demand));
      added.add(settings.name);
    }
    const shares = levels.reduce((sum, level) => sum + level.shares, 0);
    this.#borrowers = levels.flatMap((settings) => {
      const level = this.#levels.get(settings.name);
      const nominal = Math.ceil((this.#seats * settings.shares) / Math.max(shares, 1));
      const bounds = seatBounds(settings, nominal, this.#seats);
      const initial = this.#borrowing ? nominal - Math.floor((nominal - bounds.least) / 2) : nominal;
      const limit = this.#borrowing && !added.has(settings.name) ? (level?.limit ?? initial) : initial;
      level?.configure(settings, settings.exempt ? 0 : limit, nowMs);
      this.#metrics.limit(settings, nominal);
      return level && this.#borrowing ? [{ level, bounds }] : [];
    });
    this.#adjust(nowMs);
    this.#flows = schemas.toSorted(compareSchemas).flatMap((schema) => {
      const level = names.has(schema.priorityLevel) ? this.#levels.get(schema.priorityLevel) : undefined;
      return level ? [{ schema, level, series: this.#metrics.of(schema.name, schema.priorityLevel) }] : [];
    });
    this.#flowsOf = new WeakMap();
  }

  /** Divides the seats again if the adjustment period has passed; cheap otherwise. */
  adjust(): void {
    const nowMs = this.#now();
    if (this.#borrowing && nowMs - this.#adjustedMs >= adjustmentMs) this.#adjust(nowMs);
  }

  #adjust(nowMs: number): void {
    this.#adjustedMs = nowMs;
    adjustSeats(this.#borrowers, nowMs);
  }

  /** Finds the first schema that a request matches. */
  classify(digest: RequestDigest): Flow | undefined {
    let flows = this.#flowsOf.get(digest.user);
    if (!flows) {
      flows = this.#flows
        .map((flow) => ({ flow, rules: rulesFor(flow.schema, digest.user) }))
        .filter(({ rules }) => rules.length > 0);
      this.#flowsOf.set(digest.user, flows);
    }
    for (const { flow, rules } of flows) {
      for (const rule of rules) if (rule.matches(digest)) return flow;
    }
    return undefined;
  }

  /**
   * Takes a request into its priority level. The ticket is `executing`, or `waiting` until its
   * `started` is called. Returns the reason if the request is rejected.
   */
  admit(flow: Flow, digest: RequestDigest, seats: number, details: object): Admission | Rejection {
    const { schema, level, series } = flow;
    if (level.settings.exempt) {
      if (!this.#borrowing) {
        series.started(0, 0, 0);
        return { flow, ticket: undefined, seats: 0 };
      }
      const nowMs = this.#now();
      level.countExempt(seats, nowMs);
      series.started(seats, 0, nowMs);
      return { flow, ticket: undefined, seats };
    }
    const nowMs = this.#now();
    const distinguisher = distinguisherOf(schema, digest);
    const ticket = level.arrive({ schema: schema.name, distinguisher, seats, details }, nowMs);
    if (typeof ticket === 'string') {
      series.rejected(ticket, 0);
      return ticket;
    }
    if (ticket.state === 'executing') series.started(seats, 0, nowMs);
    else series.queued(ticket.queue.waiting.length, nowMs);
    return { flow, ticket, seats };
  }

  /** Calls a listener when a waiting request gets its seats. */
  whenStarted({ flow, ticket }: Admission, listener: () => void): void {
    if (!ticket) return;
    ticket.started = () => {
      flow.series.unqueued(ticket.startedMs);
      flow.series.started(ticket.request.seats, ticket.startedMs - ticket.arrivedMs, ticket.startedMs);
      listener();
    };
  }

  /** Ends a request that has seats. */
  release({ flow, ticket, seats }: Admission): void {
    if (!ticket) {
      if (!this.#borrowing) return flow.series.ended(0, 0, 0);
      const nowMs = this.#now();
      flow.level.countExempt(-seats, nowMs);
      return flow.series.ended(seats, 0, nowMs);
    }
    if (ticket.state !== 'executing') return undefined;
    const nowMs = this.#now();
    flow.series.ended(ticket.request.seats, nowMs - ticket.startedMs, nowMs);
    flow.level.leave(ticket, nowMs);
    return undefined;
  }

  /** Gives up a request that waits. Returns false if it does not wait any more. */
  giveUp({ flow, ticket }: Admission, reason: Rejection): boolean {
    if (ticket?.state !== 'waiting') return false;
    const nowMs = this.#now();
    flow.series.unqueued(nowMs);
    flow.series.rejected(reason, nowMs - ticket.arrivedMs);
    flow.level.leave(ticket, nowMs);
    return true;
  }
}

function distinguisherOf({ distinguisher }: FlowSchema, { user, namespace }: RequestDigest): string {
  if (distinguisher === undefined) return '';
  return distinguisher === 'user' ? user.username : namespace;
}
