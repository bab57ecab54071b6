import { LRUCache } from 'lru-cache';
import { linkSignals } from '../../async/link-signals.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { CallError } from '../../outbound/call-error.ts';
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../authorizer.ts';
import type { CallResult, WebhookMetrics } from './webhook-metrics.ts';
import { decisionIn, type ReviewVersion, reviewOf, reviewSpec } from './subject-access-review.ts';

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
  readonly metrics: WebhookMetrics;
  /** Ends the calls when the server stops. */
  readonly signal: AbortSignal;
}

/** The number of remembered answers, and of the characters in them: that of kube-apiserver. */
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
      return { decision: onFailure, reason: '', evaluationError: `${options.name}: ${messageOf(error)}` };
    } finally {
      calls.delete(key);
    }
  }

  return {
    name: options.name,
    authorize(attributes) {
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

/** The time for all tries of a call is over. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

function resultOf(error: unknown, stopping: AbortSignal): CallResult {
  if (stopping.aborted) return 'canceled';
  const isTimeout = error instanceof NoAnswer || (error instanceof CallError && error.code === 'timeout');
  return isTimeout ? 'timeout' : 'error';
}

async function callWithin(
  { call, timeoutMs, signal: stopping }: WebhookAuthorizerOptions,
  review: JsonObject,
): Promise<JsonObject> {
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(new NoAnswer(`no answer in ${timeoutMs} ms`)), timeoutMs);
  const { signal, release } = linkSignals(stopping, expiry.signal);
  try {
    return await call(review, signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}

function isShort(attributes: AuthorizationAttributes): boolean {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name, path } = attributes;
  const texts = [namespace, verb, apiGroup, apiVersion, resource, subresource, name, path];
  return texts.reduce((sum, text) => sum + text.length, 0) < maxAttributeCharacters;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
