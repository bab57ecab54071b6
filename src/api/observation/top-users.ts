/** The counts of a user. */
export interface UserCount {
  readonly user: string;
  /** The number of requests; it may be too high by up to `overcount`. */
  readonly requests: number;
  readonly overcount: number;
  /** The total duration of the resource requests since the user is counted. */
  readonly totalMs: number;
}

interface MutableCount {
  requests: number;
  overcount: number;
  totalMs: number;
}

/** The longest user name that is kept; clients choose the length. */
const longestName = 256;

/**
 * The users with the most requests, in bounded memory (Space-Saving: Metwally, Agrawal and El
 * Abbadi, 2005). A new user replaces the one with the fewest requests and inherits that count as
 * its error bound. A user with more than one `most`-th of all requests is always listed.
 */
export class TopUsers {
  readonly #most: number;
  #counts = new Map<string, MutableCount>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a request. */
  add(user: string): void {
    const known = this.#counts.get(user) ?? this.#enter(user);
    known.requests++;
  }

  /** Adds the duration of a request, if the user is counted. */
  spent(user: string, durationMs: number): void {
    const known = this.#counts.get(user);
    if (known) known.totalMs += durationMs;
  }

  /** The users, the busiest first. */
  list(): readonly UserCount[] {
    return [...this.#counts]
      .map(([user, count]) => ({ user, ...count }))
      .toSorted((one, other) => other.requests - one.requests);
  }

  #enter(given: string): MutableCount {
    const user = given.length > longestName ? given.slice(0, longestName) : given;
    const known = this.#counts.get(user);
    if (known) return known;
    let overcount = 0;
    if (this.#counts.size >= this.#most) {
      let least: [string, MutableCount] | undefined;
      for (const entry of this.#counts) if (!least || entry[1].requests < least[1].requests) least = entry;
      if (least) {
        this.#counts.delete(least[0]);
        overcount = least[1].requests;
      }
    }
    const count = { requests: overcount, overcount, totalMs: 0 };
    this.#counts.set(user, count);
    return count;
  }
}
