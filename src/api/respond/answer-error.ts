import { failureStatus } from '../../codec/status-body.ts';
import { StatusError } from '../../status/status-error.ts';
import { closeOverUnreadBody } from '../../http-protocol/requests/end-unread-body.ts';
import { ClientGone, Responded } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Log } from '../../http-protocol/requests/log.ts';
import { errorRepresentationOf } from './representation.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';

const page = Buffer.from('404 page not found\n');

/**
 * Answers a path outside every API group: 404 in plain text, as clients that probe for a group
 * expect.
 */
export function sendNoSuchPage(exchange: Exchange): void {
  sendAsItIs(exchange, { status: 404, contentType: 'text/plain; charset=utf-8', body: page });
}

/**
 * Responds to a request that failed. A `StatusError` is sent as a Status. Nothing is sent if the
 * client has disconnected. Any other error is a bug: it is logged, and the client gets a 500 with
 * the audit ID of the log entry. If the response has started, its connection is closed to show that
 * the response is incomplete.
 */
export function answerError(exchange: Exchange, error: unknown, log: Log): void {
  const shown = errorStatus(exchange, error, log);
  if (!shown) return;
  const { response } = exchange;
  if (!response.headersSent) exchange.audit?.answered({ status: 'Failure', reason: shown.reason, code: shown.code });
  if (response.headersSent) {
    // Over HTTP/2 an end without an error code would look like a complete response.
    if (!response.writableFinished) response.destroy(response.stream ? shown : undefined);
    return;
  }
  closeOverUnreadBody(exchange);
  const { codec } = errorRepresentationOf(exchange);
  const body = failureStatus(shown);
  exchange.audit?.responseObject(() => JSON.stringify(body));
  const retryAfter = shown.details?.retryAfterSeconds ?? 0;
  sendAsItIs(exchange, {
    status: shown.code,
    contentType: codec.mediaType,
    body: codec.encodeStatus(body),
    ...(retryAfter <= 0 ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  });
}

/**
 * Returns the Status of an error; undefined if the client has disconnected or has its response.
 * Logs unexpected errors and server errors; 501 at debug level, because clients cause it and
 * nothing is broken.
 */
export function errorStatus(exchange: Exchange, error: unknown, log: Log): StatusError | undefined {
  const { signal, auditId } = exchange;
  if (signal.aborted) {
    if (signal.reason instanceof ClientGone) return undefined;
    if (signal.reason instanceof StatusError) return signal.reason;
  }
  if (error instanceof ClientGone || error instanceof Responded) return undefined;
  if (error instanceof StatusError) {
    if (error.code >= 500) {
      const level = error.code === 501 ? 'debug' : 'warn';
      log[level]({ auditId, code: error.code, err: error }, 'request failed');
    }
    return error;
  }
  exchange.audit?.panicked();
  log.error({ auditId, path: exchange.path.sent, err: error }, 'request failed unexpectedly');
  return new StatusError(
    'InternalError',
    `Internal error occurred: the server's log has more under audit id ${auditId}`,
  );
}
