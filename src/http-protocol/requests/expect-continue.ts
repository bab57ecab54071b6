import type { HttpRequest } from '../messages/http-message.ts';

/** The used part of a response. */
interface ContinuedResponse {
  writeContinue(): void;
}

const waiting = new WeakMap<object, ContinuedResponse>();

/**
 * Registers a client that sends its body only after `100 Continue` (RFC 9110, 10.1.1). For the
 * `checkContinue` event of a server.
 */
export function awaitContinue(request: object, response: ContinuedResponse): void {
  waiting.set(request, response);
}

/** Reports whether a client still waits to be asked for its body. */
export function waitsForContinue(request: object): boolean {
  return waiting.has(request);
}

/**
 * Sends `100 Continue` to a client that waits for it. If this is never called, the final response
 * tells the client that the body is not needed.
 */
export function askForBody(request: HttpRequest): void {
  if (request.headers.expect === undefined) return;
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
