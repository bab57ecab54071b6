import { tooManyRequests } from './too-many-requests.ts';

/** A limit of the concurrent requests of one type. */
export class InFlightLimit {
  readonly #limit: number;
  #inFlight = 0;

  /** A limit of 0 is unlimited. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of current requests. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Counts a request. Throws 429 at the limit, unless the request is privileged. */
  acquire(privileged: boolean): void {
    if (this.#limit > 0 && this.#inFlight >= this.#limit && !privileged) throw tooManyRequests();
    this.#inFlight++;
  }

  /** Ends the count of an acquired request. */
  release(): void {
    this.#inFlight--;
  }
}
