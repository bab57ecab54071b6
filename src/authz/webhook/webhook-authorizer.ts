import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../async/timers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { type Expression, ExpressionError } from '../../cel/values/expression.ts';
import { CallError } from '../../outbound/call-error.ts';
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../authorizer.ts';
import type { CallResult, WebhookMetrics } from './create-webhook-metrics.ts';
import { decisionIn, matchedRequest, type ReviewVersion, reviewOf, reviewSpec } from './subject-access-review.ts';
import { errorMessage } from '../../status/error-message.ts';

/** A webhook that authorizes, and how its answers are used. */
interface WebhookAuthorizerOptions {
  /** The name in errors. */
  readonly name: string;
  /** Posts a review and returns the answer. Rejects if there is none. */
  readonly call: (review: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  /** The full API group of reviews: `authorization.cl.io`. */
  readonly group: string;
  readonly version: ReviewVersion;
  /** How long an allowed request is remembered; 0: not at all. */
  readonly authorizedTtlMs: number;
  /** How long any other answer is remembered; 0: not at all. */
  readonly unauthorizedTtlMs: number;
  /** The time for all tries of a call. */
  readonly timeoutMs: number;
  /** The decision if the webhook gives none. */
  readonly onFailure: 'no-opinion' | 'deny';
  /** Called with each failed call. */
  readonly onError: (error: unknown) => void;
  /**
   * Conditions over the `request`, the spec of the review in v1. The webhook has no opinion unless
   * all of them hold. If one cannot be evaluated, the call counts as failed.
   */
  readonly matchConditions: readonly Expression[];
  readonly metrics: WebhookMetrics;
  /** Ends the calls when the server stops. */
  readonly signal: AbortSignal;
}

/** The limits of remembered answers (as in kube-apiserver) and of the characters in them. */
const maxAnswers = 8192;
const maxCharacters = 16 * 1024 * 1024;

/** Requests whose attributes are longer are not remembered: clients choose the attributes. */
const maxAttributeCharacters = 10_000;

/**
 * Asks a webhook. A failed call has no opinion, or denies, and is not remembered. Synchronous
 * for a remembered answer. Requests with the same attributes at the same time share one call.
 */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { group, version, onError, onFailure } = options;
  const apiVersion = `${group}/${version}`;
  const answers = new LRUCache<string, AuthorizationDecision>({
    max: maxAnswers,
    maxSize: maxCharacters,
    sizeCalculation: ({ reason }, key) => key.length + reason.length,
  });
  const calls = new Map<string, Promise<AuthorizationDecision>>();

  async function ask(
    key: string,
    spec: JsonObject,
    attributes: AuthorizationAttributes,
  ): Promise<AuthorizationDecision> {
    const startMs = performance.now();
    try {
      const decision = decisionIn(await callWithin(options, reviewOf(spec, apiVersion)), apiVersion);
      const ttl = decision.decision === 'allow' ? options.authorizedTtlMs : options.unauthorizedTtlMs;
      options.metrics.called(options.name, 'success', startMs);
      if (ttl > 0 && isShort(attributes)) answers.set(key, decision, { ttl });
      return decision;
    } catch (error) {
      const result = resultOf(error, options.signal);
      options.metrics.called(options.name, result, startMs);
      if (onFailure === 'no-opinion') options.metrics.failedOpen(options.name, result);
      onError(error);
      return { decision: onFailure, reason: '', evaluationError: `${options.name}: ${errorMessage(error)}` };
    } finally {
      calls.delete(key);
    }
  }

  return {
    name: options.name,
    authorize(attributes) {
      const unmatched = exclusion(attributes, options);
      if (unmatched) return unmatched;
      const spec = reviewSpec(attributes, version);
      const key = JSON.stringify(spec);
      const known = answers.get(key) ?? calls.get(key);
      if (known) return known;
      const call = ask(key, spec, attributes);
      calls.set(key, call);
      return call;
    },
  };
}

const noOpinion: AuthorizationDecision = Object.freeze({ decision: 'no-opinion', reason: '' });

/** The decision on a request that the webhook is not asked about; undefined if it is asked. */
function exclusion(
  attributes: AuthorizationAttributes,
  { matchConditions, name, onFailure, onError }: WebhookAuthorizerOptions,
): AuthorizationDecision | undefined {
  if (matchConditions.length === 0) return undefined;
  const request = matchedRequest(attributes);
  let failure: ExpressionError | undefined;
  for (const { evaluate } of matchConditions) {
    try {
      if (evaluate({ request }) !== true) return noOpinion;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      failure ??= error;
    }
  }
  if (!failure) return undefined;
  onError(failure);
  return { decision: onFailure, reason: '', evaluationError: `${name}: a match condition has no value` };
}

/** The time for all tries of a call is over. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

function resultOf(error: unknown, stopping: AbortSignal): CallResult {
  if (stopping.aborted) return 'canceled';
  const isTimeout = error instanceof NoAnswer || (error instanceof CallError && error.code === 'timeout');
  return isTimeout ? 'timeout' : 'error';
}

function callWithin({ call, timeoutMs, signal }: WebhookAuthorizerOptions, review: JsonObject): Promise<JsonObject> {
  const reason = (): Error => new NoAnswer(`no answer in ${timeoutMs} ms`);
  return withTimeout((within) => call(review, within), { timeoutMs, signal, reason });
}

function isShort(attributes: AuthorizationAttributes): boolean {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name, path } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  const selectors = fieldSelector || labelSelector ? JSON.stringify([fieldSelector, labelSelector]) : '';
  const texts = [namespace, verb, apiGroup, apiVersion, resource, subresource, name, path, selectors];
  return texts.reduce((sum, text) => sum + text.length, 0) < maxAttributeCharacters;
}
