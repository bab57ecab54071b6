import { Duplex, PassThrough, pipeline } from 'node:stream';
import { encodeFrame, opcodes, readFrames } from '../../../client/streams/web-socket-frames.ts';
import type { UpgradeRequest } from './upgrade-request.ts';

/** The server's side of a WebSocket. */
export interface ServerSocket {
  /** Resolves when the message is written; a client that is gone is no error. */
  send(message: Uint8Array): Promise<void>;
  /** The messages of the client until it closes the connection; read once. */
  readonly messages: AsyncIterable<Buffer>;
  close(): void;
}

/** Messages of the API server and its clients are far smaller. */
const largestMessage = 1024 * 1024;
const mostFragments = 10_000;

/** Accepts a WebSocket with a protocol of the client. */
export function acceptWebSocket(
  { socket, head }: Pick<UpgradeRequest, 'socket' | 'head'>,
  protocol: string,
  accept: string,
): ServerSocket {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  socket.write(
    [...lines, `Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`, '', ''].join('\r\n'),
  );
  if (head.length > 0) socket.unshift(head);
  const send = (opcode: number, payload: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (socket.writable) socket.write(encodeFrame(opcode, payload, 'server'), () => resolve());
      else resolve();
    });
  return {
    send: (message) => send(opcodes.binary, message),
    messages: readMessages(socket, send),
    close() {
      const normal = Buffer.from([0x03, 0xe8]);
      if (socket.writable) socket.end(encodeFrame(opcodes.close, normal, 'server'));
    },
  };
}

/** Calls back when a message is written, which never fails. */
export async function settle(written: Promise<void>, done: () => void): Promise<void> {
  await written;
  done();
}

/** The bytes in the messages of a WebSocket, for SPDY in it. */
export function tunnelOf(socket: ServerSocket): Duplex {
  const input = new PassThrough();
  pipeline(socket.messages, input, () => {});
  const tunnel = new Duplex({
    read: () => input.resume(),
    write: (chunk: Buffer, _encoding, done) => void settle(socket.send(chunk), done),
    final: (done) => {
      socket.close();
      done();
    },
    destroy: (error, done) => {
      socket.close();
      input.destroy();
      done(error);
    },
  });
  input.on('data', (chunk: Buffer) => tunnel.push(chunk) || input.pause()).on('close', () => tunnel.push(null));
  return tunnel;
}

async function* readMessages(
  socket: Duplex,
  send: (opcode: number, payload: Uint8Array) => Promise<void>,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  try {
    const frames = readFrames(socket as AsyncIterable<Buffer>, { sender: 'client', largestPayload: largestMessage });
    for await (const { opcode, payload, isFinal } of frames) {
      if (opcode === opcodes.close) return;
      if (opcode === opcodes.ping) await send(opcodes.pong, payload);
      if (opcode > opcodes.binary) continue;
      size += payload.length;
      if (size > largestMessage || parts.length >= mostFragments) throw new Error('the message is too large');
      parts.push(payload);
      if (!isFinal) continue;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  } catch {
    // A client that goes away, or breaks the protocol, ends its input.
  } finally {
    socket.end();
  }
}
