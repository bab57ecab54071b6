import { tooManyRequests } from './too-many-requests.ts';

/** A limit of the concurrent requests of one type. */
export class Places {
  readonly #limit: number;
  #taken = 0;

  /** A limit of 0 is unlimited. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of current requests. */
  get taken(): number {
    return this.#taken;
  }

  /** Counts a request. Throws 429 at the limit, unless the request is privileged. */
  take(privileged: boolean): void {
    if (this.#limit > 0 && this.#taken >= this.#limit && !privileged) throw tooManyRequests();
    this.#taken++;
  }

  /** Ends the count of a request. */
  giveBack(): void {
    this.#taken--;
  }
}
