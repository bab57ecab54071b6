import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Transport, TransportRequest } from '../transport.ts';
import { encodeFrame, opcodes, readFrames, type WebSocketFrame } from './web-socket-frames.ts';

/** A connection on which both peers send messages. */
export interface WebSocketConnection {
  /** The one of the offered protocols that the server chose. */
  readonly protocol: string;
  /** Resolves when the message is written, which waits for a peer that reads slowly. */
  send(message: Uint8Array): Promise<void>;
  /**
   * The messages of the server until it closes the connection; read once. Throws if the connection
   * is lost before, or closed because of an error.
   */
  readonly messages: AsyncIterable<Buffer>;
  /** Ends the connection at once. */
  close(): void;
}

/** From RFC 6455 section 1.3. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** Proxies on the way end connections on which nothing is sent for a minute. */
const pingMs = 30_000;
const normalClosure = 1000;
/** Codes of an end that is no error: normal, going away, and a close without a code. */
const goodClosures: ReadonlySet<number> = new Set([normalClosure, 1001, 1005]);

/**
 * Opens a WebSocket with one of several protocols, of which the first is preferred. Throws the
 * error of a server that refuses it.
 */
export async function openWebSocket(
  transport: Pick<Transport, 'upgrade'>,
  protocols: readonly string[],
  request: Pick<TransportRequest, 'path' | 'query' | 'signal'>,
): Promise<WebSocketConnection> {
  const key = randomBytes(16).toString('base64');
  const { socket, header } = await transport.upgrade({
    ...request,
    method: 'GET',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': protocols.join(', '),
    },
  });
  const protocol = header('sec-websocket-protocol') ?? '';
  const accepted = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');
  if (header('sec-websocket-accept') !== accepted || !protocols.includes(protocol)) {
    socket.destroy();
    throw new Error(`the server speaks none of the protocols ${protocols.join(', ')}`);
  }
  return connectionOver(socket, protocol);
}

function connectionOver(socket: Duplex, protocol: string): WebSocketConnection {
  const write = (opcode: number, payload: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.write(encodeFrame(opcode, payload), (error) => (error ? reject(error) : resolve()));
    });
  const reply = (opcode: number, payload: Uint8Array): void => void write(opcode, payload).catch(() => {});
  const ping = setInterval(() => reply(opcodes.ping, Buffer.alloc(0)), pingMs).unref();
  socket.once('close', () => clearInterval(ping));
  return {
    protocol,
    send: (message) => write(opcodes.binary, message),
    messages: readMessages(socket, reply),
    close() {
      if (socket.destroyed) return;
      // The peer may never end its side.
      socket.end(encodeFrame(opcodes.close, closeCode(normalClosure)), () => socket.destroy());
    },
  };
}

function closeCode(code: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return bytes;
}

async function* readMessages(
  socket: Duplex,
  reply: (opcode: number, payload: Uint8Array) => void,
): AsyncIterable<Buffer> {
  let parts: Buffer[] = [];
  for await (const frame of readFrames(socket)) {
    const { opcode, payload, isFinal } = frame;
    if (opcode === opcodes.close) {
      reply(opcodes.close, payload.subarray(0, 2));
      socket.end();
      return checkClosure(frame);
    }
    if (opcode === opcodes.ping) reply(opcodes.pong, payload);
    if (opcode > opcodes.binary) continue;
    parts.push(payload);
    if (!isFinal) continue;
    yield parts.length === 1 ? payload : Buffer.concat(parts);
    parts = [];
  }
  throw Object.assign(new Error('the connection to the server was lost'), { code: 'ECONNRESET' });
}

function checkClosure({ payload }: WebSocketFrame): void {
  const code = payload.length < 2 ? normalClosure : payload.readUInt16BE(0);
  if (goodClosures.has(code)) return;
  const reason = payload.subarray(2).toString();
  throw new Error(`the server closed the connection: ${reason || `code ${code}`}`);
}
