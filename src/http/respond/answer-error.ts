import { failureStatus } from '../../codec/status-body.ts';
import { StatusError } from '../../status/status-error.ts';
import { ClientGone, type Exchange } from '../request/exchange.ts';
import type { Log } from '../request/log.ts';
import { errorRepresentationOf } from './representation.ts';
import { sendAsItIs } from './send-bytes.ts';

/**
 * Turns whatever stopped a request into its answer: a Status for a `StatusError`; nothing for a client that is gone;
 * and for anything else, which is a bug, a 500 that says no more than the id under which the log tells the rest. An answer that has
 * begun cannot be taken back, so its connection is cut to show that it is not whole.
 */
export function answerError(exchange: Exchange, error: unknown, log: Log): void {
  const shown = errorStatus(exchange, error, log);
  if (!shown) return;
  const { request, response } = exchange;
  if (response.headersSent) {
    // Over HTTP/2 an end without an error code would pass for a clean one.
    if (!response.writableFinished) response.destroy(response.stream ? shown : undefined);
    return;
  }
  const unread = !request.complete && hasBody(exchange);
  if (unread && shown.code === 413 && request.httpVersionMajor === 1) response.setHeader('Connection', 'close');
  const { codec } = errorRepresentationOf(exchange);
  const retryAfter = shown.details?.retryAfterSeconds;
  sendAsItIs(exchange, {
    status: shown.code,
    contentType: codec.mediaType,
    body: codec.encodeStatus(failureStatus(shown)),
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  });
}

function hasBody({ request }: Exchange): boolean {
  return request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
}

/** The Status that an error stands for; undefined where the client is gone. Logs what somebody should look at. */
export function errorStatus(exchange: Exchange, error: unknown, log: Log): StatusError | undefined {
  const { signal, auditId } = exchange;
  if (signal.aborted) {
    if (signal.reason instanceof ClientGone) return undefined;
    if (signal.reason instanceof StatusError) return signal.reason;
  }
  if (error instanceof ClientGone) return undefined;
  if (error instanceof StatusError) {
    if (error.code >= 500) log.warn({ auditId, code: error.code, err: error }, 'request failed');
    return error;
  }
  log.error({ auditId, path: exchange.path.raw, err: error }, 'request failed unexpectedly');
  return new StatusError(
    'InternalError',
    `Internal error occurred: the server's log has more under audit id ${auditId}`,
  );
}
