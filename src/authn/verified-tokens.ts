import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import { createTokenDigest } from './token-digest.ts';

/**
 * The result of a verification: the grant of a token, or the reason of its refusal. Without both it
 * is the token of another issuer.
 */
export interface TokenVerdict<Grant> {
  readonly grant?: Grant;
  readonly problem?: string;
}

/** The settings of a cache of verified tokens. */
interface VerifiedTokensOptions<Grant> {
  /** Verifies a token: its form and its signature, nothing that changes with time. */
  readonly verify: (token: string) => Promise<TokenVerdict<Grant>>;
  readonly metrics: TokenCacheMetrics;
}

/** Enough for the service accounts of a large cluster; an entry has about 1 KiB. */
const mostVerified = 4096;

/** Other tokens are remembered apart, so that many wrong ones do not displace valid ones. */
const mostRefused = 1024;
const refusedForMs = 10_000;

/**
 * Remembers which tokens have a valid signature, so that a request by token costs no public-key
 * operation. Only the signature is remembered, which does not change while the keys are the same:
 * call `clear` when they change, and check everything else for each request. Neither tokens nor
 * plain hashes of them are in memory: see `createTokenDigest`.
 */
export class VerifiedTokens<Grant> {
  readonly #options: VerifiedTokensOptions<Grant>;
  readonly #digestOf = createTokenDigest();
  readonly #verified = new LRUCache<string, TokenVerdict<Grant>>({ max: mostVerified });
  readonly #refused = new LRUCache<string, TokenVerdict<Grant>>({ max: mostRefused, ttl: refusedForMs });
  /** Requests that arrive together with a new token share one verification. */
  readonly #running = new Map<string, Promise<TokenVerdict<Grant>>>();

  constructor(options: VerifiedTokensOptions<Grant>) {
    this.#options = options;
  }

  /** The verdict about a token; a promise if the token is new. */
  get(token: string): MaybePromise<TokenVerdict<Grant>> {
    const startMs = performance.now();
    const key = this.#digestOf(token);
    const known = this.#verified.get(key) ?? this.#refused.get(key);
    if (known) {
      // The cache of another authenticator counts the tokens of other issuers.
      if (known.grant ?? known.problem) this.#options.metrics.hit(startMs);
      return known;
    }
    const unblocked = this.#options.metrics.blocked(startMs);
    const running = this.#running.get(key) ?? this.#verify(key, token);
    running.then(unblocked, unblocked);
    return running;
  }

  /** Forgets all results, also the results of running verifications. */
  clear(): void {
    this.#verified.clear();
    this.#refused.clear();
    this.#running.clear();
  }

  #verify(key: string, token: string): Promise<TokenVerdict<Grant>> {
    const fetched = this.#options.metrics.fetching();
    const running = this.#options.verify(token).then((verdict) => {
      fetched(verdict.problem === undefined);
      // A verification that began before a `clear` is not remembered.
      if (this.#running.get(key) !== running) return verdict;
      (verdict.grant ? this.#verified : this.#refused).set(key, verdict);
      return verdict;
    });
    this.#running.set(key, running);
    const forget = (): void => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.then(forget, () => {
      fetched(false);
      forget();
    });
    return running;
  }
}
