import { parseDuration } from '../../meta/duration.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import type { Log } from '../request/log.ts';
import { answerError } from '../respond/answer-error.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import type { Filter } from './filter.ts';
import type { Query } from '../request/query.ts';

const nanosPerMs = 1_000_000n;

/**
 * Ends a request that takes longer than the server allows, or than its own `timeout` parameter
 * does, with 504; one whose answer has begun, with its connection. The time that the reader takes
 * counts. Watches have their own end, and so have connections to what runs behind an object.
 */
export function deadline(requestTimeoutMs: number, log: Log): Filter {
  const usual = new ExpiryQueue(requestTimeoutMs);
  return (exchange) => {
    const timeoutMs = timeoutOf(exchange.query, requestTimeoutMs);
    if (exchange.verb === 'watch' || exchange.connect) return;
    const expire = (): void => {
      const error = timedOut();
      exchange.overdue = true;
      exchange.abort(error);
      if (exchange.request.httpVersionMajor === 1 && !exchange.request.complete && !exchange.response.headersSent) {
        exchange.response.setHeader('Connection', 'close');
      }
      // The work may not notice; the client is told all the same.
      answerError(exchange, error, log);
    };
    exchange.onEnd(timeoutMs === requestTimeoutMs ? usual.add(expire) : ownTimer(expire, timeoutMs));
  };
}

function ownTimer(expire: () => void, timeoutMs: number): () => void {
  const timer = setTimeout(expire, timeoutMs);
  return () => clearTimeout(timer);
}

function timedOut(): StatusError {
  return new StatusError('Timeout', 'Timeout: request did not complete within the requested timeout');
}

/** The `timeout` parameter, at most the server's own; zero or less, or no value, asks for the server's. Throws 400 for no duration. */
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
