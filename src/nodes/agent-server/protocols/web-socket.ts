import { Duplex, PassThrough, pipeline } from 'node:stream';
import { opcodes } from '../../../client/streams/web-socket-frames.ts';
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
      if (socket.writable) socket.write(Buffer.concat([headOf(opcode, payload.length), payload]), () => resolve());
      else resolve();
    });
  return {
    send: (message) => send(opcodes.binary, message),
    messages: readMessages(socket, send),
    close() {
      const normal = Buffer.from([0x03, 0xe8]);
      if (socket.writable) socket.end(Buffer.concat([headOf(opcodes.close, normal.length), normal]));
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

function headOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  const head = Buffer.alloc(length <= 0xffff ? 4 : 10);
  head[0] = first;
  head[1] = length <= 0xffff ? 126 : 127;
  if (length <= 0xffff) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

async function* readMessages(
  socket: Duplex,
  send: (opcode: number, payload: Uint8Array) => Promise<void>,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let message: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      held = Buffer.concat([held, chunk]);
      for (let end = frameEnd(held); end !== undefined; end = frameEnd(held)) {
        const { opcode, payload, isFinal } = readFrame(held, end);
        held = held.subarray(end);
        if (opcode === opcodes.close) return;
        if (opcode === opcodes.ping) await send(opcodes.pong, payload);
        if (opcode > opcodes.binary) continue;
        message = Buffer.concat([message, payload]);
        if (message.length > largestMessage) throw new Error('the message is too large');
        if (!isFinal) continue;
        yield message;
        message = Buffer.alloc(0);
      }
    }
  } catch {
    // A client that goes away, or breaks the protocol, ends its input.
  } finally {
    socket.end();
  }
}

function lengthBytes(second: number): number {
  return { 127: 8, 126: 2 }[second & 0x7f] ?? 0;
}

/** The end of the first frame in the bytes; undefined if it has not arrived. */
function frameEnd(held: Buffer): number | undefined {
  const [, second = 0] = held;
  const start = 2 + lengthBytes(second);
  if (held.length < start) return undefined;
  // Clients mask every frame.
  if ((second & 0x80) === 0) throw new Error('the client sent a frame without a mask');
  const length = start === 2 ? second & 0x7f : start === 4 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2));
  if (length > largestMessage) throw new Error('the frame is too large');
  const end = start + 4 + length;
  return held.length < end ? undefined : end;
}

function readFrame(held: Buffer, end: number) {
  const [first = 0, second = 0] = held;
  const start = 2 + lengthBytes(second);
  const mask = held.subarray(start, start + 4);
  const payload = Buffer.from(held.subarray(start + 4, end));
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, payload };
}
