import { tooManyRequests } from './too-many-requests.ts';

/** A bound on how many requests of one sort may be in flight at a time. */
export class Places {
  readonly #limit: number;
  #taken = 0;

  /** A limit of 0 is none. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes a place. Throws 429 when none is left; a privileged request is counted beyond the limit instead. */
  take(privileged: boolean): void {
    if (this.#limit > 0 && this.#taken >= this.#limit && !privileged) throw tooManyRequests();
    this.#taken++;
  }

  /** Gives back one place that was taken. */
  giveBack(): void {
    this.#taken--;
  }
}
