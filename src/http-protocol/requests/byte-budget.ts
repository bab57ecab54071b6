import { StatusError } from '../../status/status-error.ts';

/** Most requests in flight end within this time. */
const retryAfterSeconds = 1;

/**
 * Returns the 429 for a request beyond a limit. The request had no effect, so that the client may
 * repeat it.
 */
export function tooManyRequests(): StatusError {
  return new StatusError('TooManyRequests', 'Too many requests, please try again later.', {
    details: { retryAfterSeconds },
  });
}

/** A limit of the bytes that many requests hold in total. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;

  /** A limit of 0 is unlimited. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The bytes in use. */
  get used(): number {
    return this.#used;
  }

  /**
   * Charges bytes; returns false if there is no room for them. An amount above the limit is
   * admitted if nothing else is charged, so that a response, which is charged as a whole, can
   * always be sent eventually. A body is charged chunk by chunk and is refused beyond the limit,
   * because its chunks can cost a hundred times its bytes.
   */
  take(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  /** True if `take` would succeed now. */
  hasRoomFor(bytes: number): boolean {
    return this.#limit === 0 || this.#used === 0 || this.#used + bytes <= this.#limit;
  }

  /** Releases bytes that were charged. */
  release(bytes: number): void {
    this.#used -= bytes;
  }
}
