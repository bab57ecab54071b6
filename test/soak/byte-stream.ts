import { connect, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { SoakTarget } from './soak-client.ts';

/** The body of an answer on a connection of its own, which the client may stop reading or cut at any time. */
export interface ByteStream {
  readonly status: number;
  /** Starts reading. */
  onData(listener: (chunk: Buffer) => void): void;
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  close(): void;
}

/** Sends a GET and resolves with its head; nothing of the body is read before `onData`. */
export function openByteStream(target: SoakTarget, protocol: 'http1' | 'http2', path: string): Promise<ByteStream> {
  return protocol === 'http1' ? openHttp1(target, path) : openHttp2(target, path);
}

async function openHttp1({ url, ca, token }: SoakTarget, path: string): Promise<ByteStream> {
  const outgoing = request(url + path, { ca, agent: false, headers: { authorization: `Bearer ${token}` } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  outgoing.on('error', () => undefined);
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    onData: (listener) => void response.on('data', listener),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void outgoing.destroy(),
  };
}

async function openHttp2({ url, ca, token }: SoakTarget, path: string): Promise<ByteStream> {
  const session: ClientHttp2Session = connect(url, { ca });
  const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
  const status = await new Promise<number>((resolve, reject) => {
    stream.once('response', (head) => resolve(Number(head[':status']))).once('error', reject);
    session.once('error', reject);
  });
  session.on('error', () => undefined);
  stream.on('error', () => undefined);
  return {
    status,
    onData: (listener) => void stream.on('data', listener),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    close: () => session.destroy(),
  };
}
