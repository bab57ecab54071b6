import { randomBytes } from 'node:crypto';

/** The kinds of frames (RFC 6455 section 11.8). */
export const opcodes = Object.freeze({ continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 });

/** A frame of a WebSocket. */
export interface WebSocketFrame {
  /** True for the last frame of a message. */
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

const finalBit = 0x80;
const maskBit = 0x80;
/** The lengths that announce a length in the next two or eight bytes. */
const shortLength = 126;
const longLength = 127;
/** Servers send far smaller frames; a larger one means a broken peer. */
const largestPayload = 32 * 1024 * 1024;

/** Encodes a frame of a client: whole, and masked with random bytes. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const mask = randomBytes(4);
  const frame = Buffer.concat([headOf(opcode, payload.length), mask, payload]);
  const start = frame.length - payload.length;
  for (let at = 0; at < payload.length; at++) frame[start + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return frame;
}

function headOf(opcode: number, length: number): Buffer {
  const first = finalBit | opcode;
  if (length < shortLength) return Buffer.from([first, maskBit | length]);
  const head = Buffer.alloc(length <= 0xffff ? 4 : 10);
  head[0] = first;
  if (length <= 0xffff) {
    head[1] = maskBit | shortLength;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = maskBit | longLength;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return head;
}

/** Splits the bytes of a server into frames. Throws for what no server may send. */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncIterable<WebSocketFrame> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let end = frameEnd(held); end !== undefined; end = frameEnd(held)) {
      const [first = 0, second = 0] = held;
      const payload = held.subarray(2 + lengthBytes(second), end);
      held = held.subarray(end);
      yield { isFinal: (first & finalBit) !== 0, opcode: first & 0x0f, payload };
    }
  }
}

/** The bytes of the length after the second byte. */
function lengthBytes(second: number): number {
  const length = second & 0x7f;
  return length === longLength ? 8 : length === shortLength ? 2 : 0;
}

/** The end of the first frame in the bytes; undefined if it has not arrived. */
function frameEnd(held: Buffer): number | undefined {
  const [, second = 0] = held;
  const start = 2 + lengthBytes(second);
  if (held.length < start) return undefined;
  if (second & maskBit) throw new Error('the server sent a masked frame');
  const payload = start === 2 ? second : start === 4 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2));
  if (payload > largestPayload) throw new Error(`the server sent a frame of more than ${largestPayload} bytes`);
  return held.length < start + payload ? undefined : start + payload;
}
