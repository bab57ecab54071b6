import { randomUUID } from 'node:crypto';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { callErrorOf, WebhookCallError } from '../../outbound/webhooks/webhook-call-error.ts';
import type { WebhookClients } from '../../outbound/webhooks/webhook-clients.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { annotateAnswered } from '../annotate-answered.ts';
import type { AdmissionAttributes } from '../admission.ts';
import {
  type EncodedObjects,
  readResponse,
  ReviewResponseError,
  type ReviewResponse,
  reviewText,
} from './admission-review.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import { callFailed, dryRunUnsupported, WebhookRejection, webhookRejection } from './webhook-errors.ts';
import type { WebhookMetrics, WebhookType } from './webhook-metrics.ts';
import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import type { Candidate } from './webhook-source.ts';

/** The dependencies of calls. */
export interface CallDependencies {
  /** The group of AdmissionReviews. */
  readonly group: string;
  readonly clients: WebhookClients;
  readonly metrics: WebhookMetrics;
  readonly log: WebhookLog;
  /** Creates spans of calls; absent if the process does not trace. */
  readonly tracing?: Tracing | undefined;
}

/** Gets failures that the failure policy hides from clients. */
export interface WebhookLog {
  warn(details: object, message: string): void;
}

/** A call in one phase of a request. */
export interface PhaseCall {
  readonly type: WebhookType;
  readonly candidate: Candidate;
  readonly attributes: AdmissionAttributes;
}

/**
 * Runs the call of a webhook, `work`, under its failure policy, and measures it. Undefined if it
 * failed and is ignored. Throws `StatusError`, or the reason for which the request ended.
 */
export async function underFailurePolicy<Result>(
  { metrics, log }: CallDependencies,
  { type, candidate, attributes }: PhaseCall,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { webhook } = candidate;
  const call = { name: webhook.name, type, operation: attributes.operation };
  const start = performance.now();
  const end = (isRejected: boolean, code: number): void => {
    const durationMs = performance.now() - start;
    attributes.waited?.(type, durationMs);
    metrics.called(call, { seconds: durationMs / 1000, isRejected, code });
    const decision = code === okCode ? 'allowed' : isRejected ? 'refused' : 'failed, ignored';
    attributes.steps?.step(`Call of webhook ${webhook.name} done`);
    attributes.trace?.add(`webhook.${type}.${webhook.name}`, durationMs, `${decision} (${code})`);
  };
  try {
    const result = await work();
    end(false, okCode);
    return result;
  } catch (error) {
    // The client has gone, or the deadline of the request has passed: no policy applies.
    attributes.signal.throwIfAborted();
    if (error instanceof WebhookRejection) {
      end(true, error.ownCode);
      metrics.rejected(call, 'no_error', error.ownCode);
      throw error;
    }
    if (!(error instanceof WebhookCallError)) {
      end(true, internalErrorCode);
      metrics.rejected(call, 'apiserver_internal_error', 0);
      throw error;
    }
    end(!webhook.ignoresFailure, error.status || unavailableCode);
    const policy = webhook.ignoresFailure ? 'open' : 'closed';
    log.warn({ ...idOf(webhook, attributes), error: error.message }, `failed calling webhook, failing ${policy}`);
    if (webhook.ignoresFailure) {
      metrics.failedOpen(call);
      return undefined;
    }
    metrics.rejected(call, 'calling_webhook_error', 0);
    throw callFailed(webhook, error, performance.now() - start);
  }
}

const okCode = 200;
const internalErrorCode = 500;
const unavailableCode = 503;

/**
 * Calls a webhook and returns its response, which allows the request. Adds its warnings and audit
 * annotations. Throws `WebhookCallError`, or `StatusError` if the webhook refuses the request or
 * cannot be called by a dry run.
 */
export async function callWebhook(
  dependencies: CallDependencies,
  { type, candidate, attributes }: PhaseCall,
  objects: () => MaybePromise<EncodedObjects>,
): Promise<ReviewResponse> {
  const { group, log, tracing } = dependencies;
  const { webhook, version } = candidate;
  if (attributes.dryRun && !webhook.allowsDryRun) throw dryRunUnsupported(webhook);
  if (webhook.reviewVersion === undefined) {
    throw new WebhookCallError('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  }
  const review = { uid: randomUUID(), group, version: webhook.reviewVersion };
  const url = `${webhook.server.url}?timeout=${webhook.timeoutMs / 1000}s`;
  const text = reviewText(review, attributes, version, await objects());
  const post = () => postReview(dependencies.clients, { url, text, candidate, attributes });
  const body = await (tracing
    ? tracing.child(spanNames[type], () => spanAttributes(webhook, attributes, review.uid), post)
    : post());
  const startMs = performance.now();
  const response = checked(() => readResponse(review, body, type === 'admit'));
  await yieldIfLong(startMs);
  for (const warning of response.warnings) attributes.warn(warning);
  const dropped = await annotateAnswered(attributes, `${webhook.name}/`, response.auditAnnotations);
  if (dropped > 0)
    log.warn({ ...idOf(webhook, attributes), dropped }, 'dropped audit annotations whose keys are not names');
  if (!response.isAllowed) throw webhookRejection(webhook, response.status);
  return response;
}

/** The span names of webhook calls, as in kube-apiserver. */
const spanNames: Readonly<Record<WebhookType, string>> = {
  admit: 'Call mutating webhook',
  validating: 'Call validating webhook',
};

function spanAttributes(
  { configuration, name }: ConfiguredWebhook,
  { resource, subresource, operation }: AdmissionAttributes,
  uid: string,
): SpanAttributes {
  const { group, version, resource: plural } = resource;
  return {
    configuration,
    webhook: name,
    resource: `${group}/${version}, Resource=${plural}`,
    subresource,
    operation,
    UID: uid,
  };
}

function idOf({ configuration, name }: ConfiguredWebhook, { steps }: AdmissionAttributes): object {
  return { configuration, webhook: name, auditId: steps?.auditId };
}

interface PostedReview extends Omit<PhaseCall, 'type'> {
  readonly url: string;
  readonly text: string;
}

async function postReview(clients: WebhookClients, { url, text, candidate, attributes }: PostedReview) {
  try {
    const { server, timeoutMs } = candidate.webhook;
    return await clients.post(server, { url, body: text, timeoutMs, signal: attributes.signal });
  } catch (error) {
    attributes.signal.throwIfAborted();
    throw callErrorOf(url, error);
  }
}

function checked<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReviewResponseError) throw new WebhookCallError(error.message, { cause: error });
    throw error;
  }
}
