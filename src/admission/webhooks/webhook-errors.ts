import type { JsonObject } from '../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { WebhookCallError } from '../../outbound/webhook-call-error.ts';
import { badRequest, type StatusDetails, StatusError } from '../../status/status-error.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';

/** A request that a webhook refuses. */
export class WebhookRejection extends StatusError {
  override readonly name = 'WebhookRejection';
}

const leastCode = 400;
const mostCode = 599;

/**
 * The refusal of a webhook: its Status with a message that names it. A code that is no error is
 * replaced by 400.
 */
export function webhookRejection({ name }: ConfiguredWebhook, status: JsonObject = {}): WebhookRejection {
  const [message, reason] = [stringAt(status, 'message'), stringAt(status, 'reason')];
  const deniedBy = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message || reason;
  const code = numberAt(status, 'code') ?? 0;
  const details = detailsOf(objectAt(status, 'details'));
  return new WebhookRejection('', why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`, {
    code: code < leastCode ? leastCode : Math.min(code, mostCode),
    reason,
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}

/** The details of a Status, without fields that the API does not have. */
function detailsOf(details: JsonObject): StatusDetails {
  const texts = ['name', 'group', 'kind', 'uid'].flatMap((field) => {
    const text = stringAt(details, field);
    return text ? [[field, text] as const] : [];
  });
  const causes = objectsAt(details, 'causes').map((cause) => ({
    ...textOf(cause, 'reason'),
    ...textOf(cause, 'message'),
    ...textOf(cause, 'field'),
  }));
  const retryAfterSeconds = numberAt(details, 'retryAfterSeconds') ?? 0;
  return {
    ...Object.fromEntries(texts),
    ...(causes.length > 0 ? { causes } : {}),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  };
}

function textOf(object: JsonObject, field: string): Readonly<Record<string, string>> {
  const text = stringAt(object, field);
  return text ? { [field]: text } : {};
}

/** 400 for a dry run that would call a webhook with side effects. */
export function dryRunUnsupported({ name }: ConfiguredWebhook): StatusError {
  return badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

/** 500 with the message of kube-apiserver; `why` is also the first cause. */
export function internalError(why: string, cause?: unknown): StatusError {
  const details = { causes: [{ message: why }] };
  return new StatusError('InternalError', `Internal error occurred: ${why}`, { details, cause });
}

/**
 * 500 for a call that failed under failurePolicy Fail. It names the webhook, its policy, the time
 * that the call took, and its limit.
 */
export function callFailed(
  { name, timeoutMs }: ConfiguredWebhook,
  error: WebhookCallError,
  durationMs: number,
): StatusError {
  const why = `failed calling webhook ${JSON.stringify(name)}: ${error.message}`;
  const facts = `after ${seconds(durationMs)}s of at most ${timeoutMs / 1000}s, failurePolicy Fail`;
  return new StatusError('InternalError', `Internal error occurred: ${why} (${facts})`, {
    details: { causes: [{ message: why }, { reason: 'WebhookCallFailed', message: facts, field: name }] },
    cause: error,
  });
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
