import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { HttpRequest } from './http-message.ts';

const waiting = new WeakMap<HttpRequest, Pick<ServerResponse | Http2ServerResponse, 'writeContinue'>>();

/** Notes that a client sends its body only once it is told to go on (RFC 9110, 10.1.1): the `checkContinue` event of a server. */
export function awaitContinue(request: HttpRequest, response: ServerResponse | Http2ServerResponse): void {
  waiting.set(request, response);
}

/** Tells a client that waits for it to send its body. Without that call it is told by the final answer that the body is not wanted. */
export function askForBody(request: HttpRequest): void {
  if (request.headers.expect === undefined) return;
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
