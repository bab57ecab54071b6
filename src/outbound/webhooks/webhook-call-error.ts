import { StatusError } from '../../status/status-error.ts';
import { CallError, networkErrorText } from '../call-error.ts';

/** A call of a webhook that gave no answer. The message says why. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** The HTTP status of the webhook; 0 without a response. */
  readonly status: number;

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
  }
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
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function statusText(status: number): string {
  if (status >= 300 && status < 400) return `the webhook answered with status ${status}; redirects are not followed`;
  const known = statusTexts[status];
  if (known !== undefined) return known;
  if (status >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the server responded with the status code ${status} but did not return more information`;
}

/** The network error in the words of Go, where clients know these. */
function networkText({ cause, message }: CallError): string {
  return cause instanceof Error ? networkErrorText(cause) : message;
}
