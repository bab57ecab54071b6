import type { JsonObject } from '../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { CallError } from '../../outbound/call-error.ts';
import { badRequest, type StatusDetails, StatusError } from '../../status/status-error.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';

/** A call of a webhook that gave no answer; its failure policy applies. The message says why. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** The HTTP status of the webhook; 0 without a response. */
  readonly status: number;

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
  }
}

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

/** Describes the failure of a POST as kube-apiserver does; bodies are never repeated. */
export function callErrorOf(url: string, error: unknown): WebhookCallError {
  if (error instanceof StatusError) return new WebhookCallError(error.message, { cause: error });
  if (!(error instanceof CallError)) throw error;
  const { status, code } = error;
  if (code === 'status') return new WebhookCallError(statusText(status), { status, cause: error });
  if (code === 'timeout') return new WebhookCallError(`Post "${url}": context deadline exceeded`, { cause: error });
  if (code === 'unreachable') {
    return new WebhookCallError(`Post "${url}": ${networkText(error)}`, { cause: error });
  }
  return new WebhookCallError(error.message, { cause: error });
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  503: 'the server is currently unable to handle the request',
};

function statusText(status: number): string {
  if (status >= 300 && status < 400) return `the webhook answered with status ${status}; redirects are not followed`;
  const known = statusTexts[status];
  if (known !== undefined) return known;
  if (status >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the server responded with the status code ${status} but did not return more information`;
}

const certificateTexts: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  UND_ERR_SOCKET: 'EOF',
  ECONNRESET: 'EOF',
};

/** The network error in the words of Go, where clients know these. */
function networkText({ cause, message }: CallError): string {
  const error = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  if (error instanceof StatusError) return error.message;
  if (!(error instanceof Error)) return message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED')
    return `dial tcp ${error.message.replace(/^connect ECONNREFUSED /, '')}: connect: connection refused`;
  if (code === 'ENOTFOUND')
    return `dial tcp: ${error.message.replace(/^getaddrinfo ENOTFOUND /, 'lookup ')}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: ${error.message}`;
  return certificateTexts[code] ?? error.message;
}
