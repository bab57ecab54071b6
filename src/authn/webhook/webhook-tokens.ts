import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../async/timers.ts';
import { untilAborted } from '../../async/abort-signals.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { cutText } from '../../status/shown-value.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from '../authenticator.ts';
import { refusedCredential } from '../refused-credential.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import { createTokenDigest } from '../token-digest.ts';
import { type ReviewedToken, reviewedToken, tokenReviewOf, type TokenReviewVersion } from './token-review.ts';

/** A webhook that authenticates tokens. */
interface WebhookTokenOptions {
  /** Posts a review and returns the answer. Rejects if there is none. */
  readonly call: (review: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  /** The full API group of reviews: `authentication.cl.io`. */
  readonly group: string;
  readonly version: TokenReviewVersion;
  /** How long an answer is remembered; 0: not at all. */
  readonly cacheTtlMs: number;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  /** Called with each failed call. */
  readonly onError: (error: unknown) => void;
  readonly metrics: TokenCacheMetrics;
  /** Ends the calls when the server stops. */
  readonly signal: AbortSignal;
}

/** Answers have some hundred bytes. */
const rememberedTokens = 4096;

/** A refused token may become valid, and wrong tokens should not displace valid ones for long. */
const refusedForMs = 10_000;

/** The time for all tries of a call, as in kube-apiserver. */
const callMs = 30_000;

/** Tokens that are being verified. More would only wait for connections to the webhook. */
const runningCalls = 1024;

/**
 * Asks a webhook whose a token is (spec 5.4). Answers are remembered, requests that arrive with the
 * same token share a call, and failed calls are not remembered. The cache has no tokens: see
 * `createTokenDigest`. Synchronous for a remembered answer.
 */
export function webhookTokenAuthenticator(options: WebhookTokenOptions): Authenticator {
  const { group, version, cacheTtlMs: ttl, metrics, onError } = options;
  const apiVersion = `${group}/${version}`;
  const digestOf = createTokenDigest();
  const valid = new LRUCache<string, ReviewedToken>({ max: rememberedTokens });
  const refused = new LRUCache<string, ReviewedToken>({ max: rememberedTokens });
  const running = new Map<string, Promise<ReviewedToken>>();

  async function ask(key: string, token: string, audiences: readonly string[]): Promise<ReviewedToken> {
    const fetched = metrics.fetching();
    try {
      const review = tokenReviewOf(token, audiences, apiVersion);
      const answer = reviewedToken(await callWithin(options, review), apiVersion);
      fetched(answer.user !== undefined || answer.error === '');
      remember(key, answer);
      return answer;
    } catch (error) {
      fetched(false);
      onError(error);
      return { user: undefined, error: error instanceof Error ? error.message : String(error), isFailure: true };
    } finally {
      running.delete(key);
    }
  }

  function remember(key: string, answer: ReviewedToken): void {
    if (ttl === 0) return;
    if (answer.user) valid.set(key, answer, { ttl });
    else if (answer.error === '') refused.set(key, answer, { ttl: Math.min(ttl, refusedForMs) });
  }

  return {
    name: 'webhook-token',
    authenticate(request) {
      const { bearerToken, audiences = options.audiences } = request;
      if (!bearerToken) return undefined;
      const startMs = performance.now();
      const key = digestOf(JSON.stringify([bearerToken, audiences]));
      const known = valid.get(key) ?? refused.get(key);
      if (known) {
        metrics.hit(startMs);
        return resultOf(known, request, options.audiences);
      }
      let call = running.get(key);
      if (!call) {
        if (running.size >= runningCalls) throw refusedCredential('too many tokens are being verified');
        call = ask(key, bearerToken, audiences);
        running.set(key, call);
      }
      // The promise of a call never rejects.
      void call.finally(metrics.blocked(startMs));
      return untilAborted(call, request.cancellation.signal).then((answer) =>
        resultOf(answer, request, options.audiences),
      );
    },
  };
}

function callWithin({ call, signal }: WebhookTokenOptions, review: JsonObject): Promise<JsonObject> {
  const reason = (): Error => new Error(`no answer in ${callMs} ms`);
  return withTimeout((within) => call(review, within), { timeoutMs: callMs, signal, reason });
}

/**
 * A webhook that names no audiences means the audiences of this server. A token for none of the
 * wanted audiences is unknown.
 */
function resultOf(
  answer: ReviewedToken,
  { audiences: wanted = [] }: AuthenticationRequest,
  own: readonly string[],
): AuthenticationResult {
  if (!answer.user) {
    if (answer.error === '') return undefined;
    if (answer.isFailure) throw refusedCredential(answer.error);
    throw refusedCredential(answer.error, undefined, cutText(answer.error));
  }
  const asked = wanted.length > 0 ? wanted : own;
  if (asked.length === 0) return answer;
  const named = answer.audiences.length > 0 ? answer.audiences : own;
  const shared = asked.filter((audience) => named.includes(audience));
  return shared.length === 0 ? undefined : { user: answer.user, audiences: shared };
}
