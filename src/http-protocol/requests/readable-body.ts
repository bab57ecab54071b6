import { Readable } from 'node:stream';
import type { HttpRequest } from '../messages/http-message.ts';

/** Returns the body of a request as a stream that may be destroyed, to pass it on. */
export function readableBody(request: HttpRequest): Readable {
  return request instanceof Readable ? request : request.readable();
}
