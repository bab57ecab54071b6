import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Target } from '../http-client.ts';

/** Where connections go; the token is sent with each request. */
export type RawTarget = Target;

/** A TCP connection on which no handshake has begun. */
export async function openTcp({ url }: RawTarget): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/**
 * A connection of HTTP/1.1 whose requests are written by hand. With `allowHalfOpen` it can write after the server has
 * closed its side.
 */
export async function openHttp1({ url, ca }: RawTarget, allowHalfOpen = false): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  // The type of the options lacks `allowHalfOpen`, which is documented.
  const options = { host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'], allowHalfOpen };
  const socket = connectTls(options);
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** A connection of HTTP/2, its settings exchanged. */
export async function openHttp2({ url, ca }: RawTarget): Promise<ClientHttp2Session> {
  const session = connectHttp2(url, { ca });
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
  return session;
}

/** The head of a request of HTTP/1.1; further headers end with CRLF each. */
export function head(target: RawTarget, method: string, path: string, headers = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n${headers}\r\n`;
}

/** Opens a stream with a request; an error of it is no one's concern. */
export function openStream(
  target: RawTarget,
  session: ClientHttp2Session,
  headers: Record<string, string>,
  endStream = true,
): ClientHttp2Stream {
  const stream = session.request({ authorization: `Bearer ${target.token}`, ...headers }, { endStream });
  stream.on('error', () => undefined);
  return stream;
}

/** Reads a connection of HTTP/1.1 until its text matches. Rejects where the connection closes before. */
export function textMatching(socket: TLSSocket, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (pattern.test(text)) resolve(text);
    });
    socket.once('close', () => reject(new Error(`the connection was closed after ${JSON.stringify(text)}`)));
  });
}

/** The status of the answer to a stream; 0 where it was reset instead. */
export function statusOf(stream: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0));
    stream.once('close', () => resolve(0));
  });
}
