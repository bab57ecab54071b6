import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { textCodecs } from './request/codecs.ts';
import { failureStatus } from '../codec/status-body.ts';
import { StatusError } from '../status/status-error.ts';
import { closeAfterResponse } from '../http-protocol/requests/close-after-response.ts';
import { unlessArrived } from '../http-protocol/requests/late-arrival.ts';
import { excuseTimeout } from '../http-protocol/requests/long-body.ts';

/** The code of the error of a request whose headers or body take too long. */
const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

type ClientError = Error & { readonly code?: string };

/** The statuses of some errors of Node's HTTP/1.1 parser; all other errors are 400. */
const answers: Readonly<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError('RequestEntityTooLarge', 'the header of the request is too large', {
    code: 431,
  }),
  [requestTimeout]: new StatusError('Timeout', 'the request did not arrive in time', { code: 408 }),
};

const malformed = new StatusError('BadRequest', 'the request is not well-formed HTTP');

/**
 * Answers bytes that are not a valid request, and closes the connection. To be used for the
 * `clientError` event: the default response of Node is lost if the socket is destroyed before a TLS
 * peer has read it.
 */
export function respondToClientError(error: ClientError, socket: Duplex): void {
  if (error.code !== requestTimeout) respond(error, socket);
  else if (!excuseTimeout(socket)) unlessArrived(socket, () => respond(error, socket));
}

function respond(error: ClientError, socket: Duplex): void {
  // The parser reports the following bytes as further errors.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const answer = answers[error.code ?? ''] ?? malformed;
  // The Accept header is unknown, so that the preferred format is used.
  const [{ mediaType, encodeStatus }] = textCodecs;
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
  closeAfterResponse(socket);
}
