import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeAfterResponse } from './close-after-response.ts';
import type { HttpExchange } from './http-exchange.ts';

/** A request whose body may take any time to arrive. */
interface LongBody {
  readonly request: { readonly complete: boolean };
  /** True once the time limit of other requests has passed. */
  isOverdue: boolean;
}

/** The last such request of each HTTP/1.1 connection. */
const longBodies = new WeakMap<Duplex, LongBody>();

/**
 * Exempts the body of a request from the time limit for receiving, until the exchange ends: it is
 * passed on, and takes as long as client and backend like. Only HTTP/1.1 has that limit.
 */
export function allowLongBody(exchange: HttpExchange): void {
  const { request } = exchange;
  if (!(request instanceof IncomingMessage)) return;
  const { socket } = request;
  const body: LongBody = { request, isOverdue: false };
  longBodies.set(socket, body);
  exchange.onEnd(() => {
    if (longBodies.get(socket) === body) longBodies.delete(socket);
    // Node reports the timeout of a request once: nothing else would limit the rest of this body.
    if (body.isOverdue && !request.complete) closeAfterResponse(socket);
  });
}

/**
 * Reports whether the request that a connection is receiving may take longer than the time limit.
 * To be called when Node reports a timeout of the connection.
 */
export function excuseTimeout(socket: Duplex): boolean {
  const body = longBodies.get(socket);
  // The timeout may be for the next request.
  if (!body || body.request.complete) return false;
  body.isOverdue = true;
  return true;
}
