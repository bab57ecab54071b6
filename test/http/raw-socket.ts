import { connect } from 'node:tls';
import type { Target } from './http-client.ts';
import { startQuietTimer } from './quiet-timer.ts';

/** What came back over a connection of our own: the status line and the rest, and whether the server closed it. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly closed: boolean;
}

/** Sends bytes as they are over TLS (HTTP/1.1) and reads until the server closes or says nothing for `quietMs`. */
export async function sendRaw(server: Target, bytes: string | Buffer, quietMs = 500): Promise<RawResponse> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: server.ca, ALPNProtocols: ['http/1.1'] });
  const chunks: Buffer[] = [];
  return await new Promise((resolve) => {
    const done = (closed: boolean): void => {
      quiet.stop();
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text, closed });
    };
    let quiet = startQuietTimer(Math.max(quietMs, 5_000), () => done(false));
    socket.on('secureConnect', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      quiet.stop();
      quiet = startQuietTimer(quietMs, () => done(false));
    });
    socket.on('close', () => done(true));
    socket.on('error', () => done(true));
  });
}
