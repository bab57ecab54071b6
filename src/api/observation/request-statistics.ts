import type { OnEnded } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { shownPath } from '../request/shown-path.ts';
import { TopUsers, type UserCount } from './top-users.ts';

/** A request that took long. */
interface SlowRequest {
  /** Milliseconds since 1970. */
  readonly endedMs: number;
  readonly durationMs: number;
  readonly verb: string;
  readonly path: string;
  readonly user: string;
  readonly status: number;
  readonly auditId: string;
  /** The step that took longest, and its time; '' if there are none. */
  readonly slowestStep: string;
}

/** The slowest requests that are kept of each window. */
const mostSlow = 20;

/** A window; the present and the previous one are shown. */
const windowMs = 30 * 60_000;

/** The users that are counted. Four times those that are shown, so that their counts are right. */
const mostUsers = 200;

const longestPath = 512;

/**
 * The slowest requests and the busiest users of a server, in bounded memory. A request costs the
 * look-up of its user and a comparison.
 */
export class RequestStatistics {
  #users = new TopUsers(mostUsers);
  #previousUsers: TopUsers | undefined;
  #slow: SlowRequest[] = [];
  #previousSlow: readonly SlowRequest[] = [];
  #windowEndMs = performance.now() + windowMs;
  #leastMs = 0;

  /** Counts a request of a user, whether it is allowed or not. */
  readonly authenticated = (username: string): void => this.#users.add(username);

  /** Counts the end of a request. */
  readonly ended: OnEnded = (exchange, { durationMs, status }) => {
    const nowMs = exchange.openedMs + durationMs;
    if (nowMs >= this.#windowEndMs) this.#nextWindow(nowMs);
    this.#users.spent(exchange.user.username, durationMs);
    if (durationMs > this.#leastMs) this.#keep(exchange, durationMs, status);
  };

  /** The slowest requests of the last half an hour to hour, the slowest first. */
  slowest(): readonly SlowRequest[] {
    return [...this.#slow, ...this.#previousSlow]
      .toSorted((one, other) => other.durationMs - one.durationMs)
      .slice(0, mostSlow);
  }

  /** The busiest users of the same time. */
  busiest(count: number): readonly UserCount[] {
    const present = this.#users.list();
    const all = present.length === 0 ? (this.#previousUsers?.list() ?? []) : present;
    return all.slice(0, count);
  }

  #keep(exchange: Exchange, durationMs: number, status: number): void {
    const { user, verb, auditId } = exchange;
    const path = shownPath(exchange).slice(0, longestPath);
    const slowestStep = slowestStepOf(exchange);
    this.#slow.push({
      endedMs: Date.now(),
      durationMs,
      verb,
      path,
      user: user.username.slice(0, 256),
      status,
      auditId,
      slowestStep,
    });
    if (this.#slow.length <= mostSlow) return;
    this.#slow = this.#slow.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, mostSlow);
    this.#leastMs = this.#slow.at(-1)?.durationMs ?? 0;
  }

  #nextWindow(nowMs: number): void {
    this.#previousSlow = this.#slow;
    this.#previousUsers = this.#users;
    this.#slow = [];
    this.#users = new TopUsers(mostUsers);
    this.#leastMs = 0;
    this.#windowEndMs = nowMs + windowMs;
  }
}

function slowestStepOf({ steps, openedMs }: Exchange): string {
  let [found, longestMs, beforeMs] = ['', 0, openedMs];
  for (let index = 0; index + 1 < steps.length; index += 2) {
    const atMs = Number(steps[index + 1]);
    if (atMs - beforeMs > longestMs) {
      longestMs = atMs - beforeMs;
      found = `${String(steps[index])} (${Math.round(longestMs)} ms)`;
    }
    beforeMs = atMs;
  }
  return found;
}
