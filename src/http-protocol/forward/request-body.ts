import { Readable } from 'node:stream';
import type { HttpExchange } from '../requests/http-exchange.ts';
import { askForBody } from '../requests/expect-continue.ts';
import { allowLongBody } from '../requests/long-body.ts';

/** Reports whether a request has a body. */
export function hasBody({ request }: HttpExchange): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  if ('content' in request) return request.content.length > 0;
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Takes the body of a request to pass it on. It may take any time; a client that waits for `100
 * Continue` gets it.
 */
export function takeBody(exchange: HttpExchange): Readable {
  const { request } = exchange;
  allowLongBody(exchange);
  askForBody(request);
  // A stream that may be destroyed.
  return request instanceof Readable ? request : request.readable();
}
