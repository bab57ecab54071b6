import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { WebhookCallError } from '../../outbound/webhooks/webhook-call-error.ts';
import {
  badRequest,
  type StatusDetails,
  StatusError,
  type StatusErrorOptions,
  type StatusMetadata,
} from '../../status/status-error.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';

/** A request that a webhook refuses. */
export class WebhookRejection extends StatusError {
  override readonly name = 'WebhookRejection';
  /** The code of the webhook, also where HTTP cannot carry it, for metrics. */
  readonly ownCode: number;

  constructor(message: string, ownCode: number, options: StatusErrorOptions) {
    super('', message, { ...options, code: ownCode > mostCode ? unsendableCode : ownCode });
    this.ownCode = ownCode;
  }
}

const leastCode = 400;
/** The largest status code of HTTP/1.1: three digits. */
const mostCode = 999;
const unsendableCode = 500;

/**
 * The refusal of a webhook: its Status with a message that names it. A code that is no error is
 * replaced by 400, and one that HTTP cannot carry by 500.
 */
export function webhookRejection({ name }: ConfiguredWebhook, status: JsonObject = {}): WebhookRejection {
  const [message, reason] = [stringAt(status, 'message'), stringAt(status, 'reason')];
  const deniedBy = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message || reason;
  const code = Math.max(leastCode, numberAt(status, 'code') ?? 0);
  return new WebhookRejection(why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`, code, {
    reason,
    metadata: metadataOf(objectAt(status, 'metadata')),
    ...(isSet(status, 'details') ? { details: detailsOf(objectAt(status, 'details')) } : {}),
  });
}

/** The metadata of a Status, which has the fields of list metadata. */
function metadataOf(metadata: JsonObject): StatusMetadata {
  const remainingItemCount = numberAt(metadata, 'remainingItemCount');
  return {
    ...textOf(metadata, 'selfLink'),
    ...textOf(metadata, 'resourceVersion'),
    ...textOf(metadata, 'continue'),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
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
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
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
  const facts = `after ${(durationMs / 1000).toFixed(3)}s of at most ${timeoutMs / 1000}s, failurePolicy Fail`;
  return new StatusError('InternalError', `Internal error occurred: ${why} (${facts})`, {
    details: { causes: [{ message: why }, { reason: 'WebhookCallFailed', message: facts, field: name }] },
    cause: error,
  });
}
