import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { codecs } from '../codec/codecs.ts';
import { failureStatus } from '../codec/status-body.ts';
import { StatusError } from '../status/status-error.ts';
import { closeAfterAnswer } from './request/close-after-answer.ts';

/** Errors of the HTTP/1.1 parser that have a status of their own; every other one is 400. */
const answers: Readonly<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError('RequestEntityTooLarge', 'the header of the request is too large', {
    code: 431,
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new StatusError('Timeout', 'the request did not arrive in time', { code: 408 }),
};

const malformed = new StatusError('BadRequest', 'the request is not well-formed HTTP');

/**
 * Answers bytes that never became a request, and closes the connection. For the `clientError` event: Node's own answer is lost
 * when the socket is destroyed before a TLS peer has read it.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  // The parser complains again of what follows.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const answer = answers[error.code ?? ''] ?? malformed;
  // Which formats the client accepts is not known.
  const [{ mediaType, encodeStatus }] = codecs;
  const body = encodeStatus(failureStatus(answer));
  const head = [
    `HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code] ?? ''}`,
    'Connection: close',
    `Content-Type: ${mediaType}`,
    'Cache-Control: no-cache, private',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  closeAfterAnswer(socket);
}
