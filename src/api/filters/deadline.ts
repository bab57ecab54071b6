import { parseDuration } from '../../meta/duration.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import type { Log } from '../../http-protocol/requests/log.ts';
import { answerError } from '../respond/answer-error.ts';
import type { Filter } from './filter.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

const nanosPerMs = 1_000_000n;

/**
 * Ends a request with 504 if it exceeds the timeout of the server or its own `timeout` parameter.
 * If the response has started, its connection is closed. The time that the client needs to read the
 * response counts. Watches and connect requests have no such deadline.
 */
export function deadline(requestTimeoutMs: number, log: Log): Filter {
  return (exchange) => {
    const timeoutMs = timeoutOf(exchange.query, requestTimeoutMs);
    if (exchange.verb === 'watch' || exchange.isConnection) return;
    const expire = (): void => {
      const error = new StatusError('Timeout', 'Timeout: request did not complete within the requested timeout');
      exchange.overdue = true;
      exchange.abort(error);
      if (exchange.request.httpVersionMajor === 1 && !exchange.request.complete && !exchange.response.headersSent) {
        exchange.response.setHeader('Connection', 'close');
      }
      // The handler may not react to the abort; the client gets its response anyway.
      answerError(exchange, error, log);
    };
    const timer = setTimeout(expire, timeoutMs);
    exchange.onEnd(() => clearTimeout(timer));
  };
}

/**
 * Returns the `timeout` parameter, limited to the timeout of the server. A missing, zero or
 * negative value selects the timeout of the server. Throws 400 for an invalid duration.
 */
function timeoutOf(query: Query, limitMs: number): number {
  const text = query.get('timeout');
  if (!text) return limitMs;
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    const shown = JSON.stringify(text.slice(0, 64));
    throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${shown}`);
  }
  if (nanos <= 0n || nanos / nanosPerMs >= BigInt(limitMs)) return limitMs;
  return Math.max(1, Number(nanos / nanosPerMs));
}
