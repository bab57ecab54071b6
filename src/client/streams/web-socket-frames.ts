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
/** The bits of extensions, which are never negotiated. */
const reservedBits = 0x70;
/** The bit of control frames, which are short and not fragmented (RFC 6455 section 5.5). */
const controlBit = 0x08;
/** The lengths that announce a length in the next two or eight bytes. */
const shortLength = 126;
const longLength = 127;
/** Servers send far smaller frames; a larger one means a broken peer. */
const largestOfServers = 32 * 1024 * 1024;

/** The side of a connection that sends a frame: clients mask all of theirs. */
type FrameSender = 'client' | 'server';

/** Encodes an unfragmented frame; a client's frame is masked with random bytes. */
export function encodeFrame(opcode: number, payload: Uint8Array, sender: FrameSender = 'client'): Buffer {
  if (sender === 'server') return Buffer.concat([serverHead(opcode, payload.length), payload]);
  const mask = randomBytes(4);
  const frame = Buffer.concat([headOf(opcode, payload.length, maskBit), mask, payload]);
  applyMask(frame.subarray(frame.length - payload.length), mask);
  return frame;
}

/** Encodes the header of an unfragmented server frame for a payload of this length. */
export function serverHead(opcode: number, length: number): Buffer {
  return headOf(opcode, length, 0);
}

function applyMask(payload: Buffer, mask: Buffer): void {
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
}

function headOf(opcode: number, length: number, masked: number): Buffer {
  const first = finalBit | opcode;
  if (length < shortLength) return Buffer.from([first, masked | length]);
  const head = Buffer.alloc(length <= 0xffff ? 4 : 10);
  head[0] = first;
  if (length <= 0xffff) {
    head[1] = masked | shortLength;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = masked | longLength;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return head;
}

/** The sender of frames, and the most bytes of a payload. */
interface FrameRules {
  readonly sender: FrameSender;
  readonly largestPayload: number;
}

/**
 * Splits the bytes of a peer, by default a server, into frames. Throws for what such a peer may not
 * send.
 */
export async function* readFrames(
  chunks: AsyncIterable<Buffer>,
  rules: FrameRules = { sender: 'server', largestPayload: largestOfServers },
): AsyncIterable<WebSocketFrame> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let end = frameEnd(held, rules); end !== undefined; end = frameEnd(held, rules)) {
      const [first = 0, second = 0] = held;
      const start = 2 + lengthBytes(second);
      const isMasked = rules.sender === 'client';
      const payload = isMasked ? Buffer.from(held.subarray(start + 4, end)) : held.subarray(start, end);
      if (isMasked) applyMask(payload, held.subarray(start, start + 4));
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
function frameEnd(held: Buffer, { sender, largestPayload }: FrameRules): number | undefined {
  const [first = 0, second = 0] = held;
  const start = 2 + lengthBytes(second);
  if (held.length < start) return undefined;
  if ((first & reservedBits) !== 0) throw new Error(`the ${sender} sent a frame of an extension that nobody asked for`);
  const isControl = (first & controlBit) !== 0;
  if (isControl && (start > 2 || (first & finalBit) === 0)) {
    throw new Error(`the ${sender} sent a control frame that is long or in parts`);
  }
  const isMasked = (second & maskBit) !== 0;
  if (isMasked !== (sender === 'client')) {
    throw new Error(`the ${sender} sent a frame ${isMasked ? 'with' : 'without'} a mask`);
  }
  const payload = start === 2 ? second & 0x7f : start === 4 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2));
  if (payload > largestPayload) throw new Error(`the ${sender} sent a frame of more than ${largestPayload} bytes`);
  const end = start + (isMasked ? 4 : 0) + payload;
  return held.length < end ? undefined : end;
}
