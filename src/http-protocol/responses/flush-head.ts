import { ServerResponse } from 'node:http';
import type { HttpResponse } from '../messages/http-message.ts';

/** Sends the head of a response whose body comes later. */
export function flushHead(response: HttpResponse): void {
  // `flushHeaders` of Node encodes the values, which have a character for each byte, as UTF-8.
  if (response instanceof ServerResponse) response.write('', 'latin1');
  else response.flushHeaders();
}
