import type { OnEnded } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { shownPath } from '../request/shown-path.ts';
import { TopUsers, type UserCount } from './top-users.ts';

/** A slow request, for the debug page. */
interface SlowRequest {
  /** The end of the request, in milliseconds since 1970. */
  readonly endedMs: number;
  readonly durationMs: number;
  readonly verb: string;
  readonly path: string;
  readonly user: string;
  readonly status: number;
  readonly auditId: string;
  /** The longest step, with its duration; '' without steps. */
  readonly slowestStep: string;
}

/** The number of slow requests that each window keeps. */
const mostSlow = 20;

/** The length of a window. The present and the previous one are shown. */
const windowMs = 30 * 60_000;

/** The number of counted users, four times what is shown, so that the shown counts are exact. */
const mostUsers = 200;

const longestPath = 512;

/**
 * The slowest requests and the busiest users of a server, in bounded memory. A request costs a
 * look-up of its user and a comparison.
 */
export class RequestStatistics {
  #users = new TopUsers(mostUsers);
  #previousUsers: TopUsers | undefined;
  #slow: SlowRequest[] = [];
  #previousSlow: readonly SlowRequest[] = [];
  #windowEndMs = performance.now() + windowMs;
  #leastMs = 0;

  /** Counts a request of a user, whether or not it is allowed. */
  readonly authenticated = (username: string): void => this.#users.add(username);

  /** Records the duration of a request. */
  readonly ended: OnEnded = (exchange, { durationMs, status }) => {
    const nowMs = exchange.openedMs + durationMs;
    if (nowMs >= this.#windowEndMs) this.#nextWindow(nowMs);
    this.#users.spent(exchange.user.username, durationMs);
    if (durationMs > this.#leastMs) this.#keep(exchange, durationMs, status);
  };

  /** The slowest requests of the last 30 to 60 minutes, the slowest first. */
  slowest(): readonly SlowRequest[] {
    return [...this.#slow, ...this.#previousSlow]
      .toSorted((one, other) => other.durationMs - one.durationMs)
      .slice(0, mostSlow);
  }

  /** The busiest users of the last 30 to 60 minutes. */
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
