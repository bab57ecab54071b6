// Frames of HTTP/2 (RFC 9113, sections 4 and 6).

/** The frame types that a client receives or sends. */
export const frameTypes = Object.freeze({
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
});

/** Frame flags; 1 is END_STREAM or ACK, depending on the frame type. */
export const flags = Object.freeze({ endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 });

/** Settings that this client sends or observes. */
export const settings = Object.freeze({
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
});

/** Error codes of streams and connections. */
export const errorCodes = Object.freeze({
  noError: 0,
  protocolError: 1,
  flowControlError: 3,
  refusedStream: 7,
  cancel: 8,
});

/** The connection preface of a client. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Default sizes of flow-control windows and frames. */
export const defaultWindowBytes = 65_535;
export const defaultFrameBytes = 16_384;

/** Length of a frame header. */
export const frameHeadBytes = 9;

/** A received frame. The payload is a view of the read buffer, which the next read overwrites. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** A frame that violates the protocol; the rest of the connection cannot be parsed. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Writes a frame header; returns the offset of the payload. */
export function writeFrameHead(
  target: Buffer,
  at: number,
  frame: { readonly type: number; readonly flags: number; readonly streamId: number; readonly length: number },
): number {
  target.writeUIntBE(frame.length, at, 3);
  target[at + 3] = frame.type;
  target[at + 4] = frame.flags;
  target.writeUInt32BE(frame.streamId, at + 5);
  return at + frameHeadBytes;
}

/** A complete frame. */
export function encodeFrame(type: number, streamId: number, payload: Buffer, frameFlags = 0): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payload.length);
  const at = writeFrameHead(frame, 0, { type, flags: frameFlags, streamId, length: payload.length });
  payload.copy(frame, at);
  return frame;
}

/** The payload of frames that consist of one number. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}

/** The payload of a SETTINGS frame. */
export function encodeSettings(values: readonly (readonly [setting: number, value: number])[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 6);
  for (const [index, [setting, value]] of values.entries()) {
    bytes.writeUInt16BE(setting, index * 6);
    bytes.writeUInt32BE(value, index * 6 + 2);
  }
  return bytes;
}

/** Decodes the payload of a SETTINGS frame. Throws `FrameError`. */
export function decodeSettings(payload: Buffer): ReadonlyMap<number, number> {
  if (payload.length % 6 !== 0) throw new FrameError('a SETTINGS frame is truncated');
  const values = new Map<number, number>();
  for (let at = 0; at < payload.length; at += 6) values.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  return values;
}

/** The payload of a DATA or HEADERS frame without padding and priority. Throws `FrameError`. */
export function unpadded({ type, flags: set, payload }: Frame): Buffer {
  const padding = set & flags.padded ? (payload[0] ?? 0) : 0;
  const start = (set & flags.padded ? 1 : 0) + (type === frameTypes.headers && set & flags.priority ? 5 : 0);
  if (start + padding > payload.length) throw new FrameError('a frame has more padding than bytes');
  return start + padding === 0 ? payload : payload.subarray(start, payload.length - padding);
}

/**
 * Parses frames from chunks of a connection's bytes. The chunks may be overwritten after `read`
 * returns.
 */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  /** The beginning of an incomplete frame. */
  readonly #begun = Buffer.allocUnsafe(frameHeadBytes + defaultFrameBytes);
  #begunBytes = 0;

  constructor(take: (frame: Frame) => void) {
    this.#take = take;
  }

  /** Parses a chunk. Throws `FrameError`, and the errors of the callback. */
  read(piece: Buffer): void {
    let at = this.#begunBytes > 0 ? this.#proceed(piece) : 0;
    while (piece.length - at >= frameHeadBytes) {
      const end = at + frameBytes(piece, at);
      if (end > piece.length) break;
      this.#take(frameIn(piece, at, end));
      at = end;
    }
    if (at < piece.length) this.#begunBytes += piece.copy(this.#begun, this.#begunBytes, at);
  }

  /** Completes the incomplete frame from a chunk; returns the offset after it. */
  #proceed(piece: Buffer): number {
    const at = this.#fill(piece, 0, frameHeadBytes);
    if (this.#begunBytes < frameHeadBytes) return at;
    const bytes = frameBytes(this.#begun, 0);
    const end = this.#fill(piece, at, bytes);
    if (this.#begunBytes < bytes) return end;
    this.#begunBytes = 0;
    this.#take(frameIn(this.#begun, 0, bytes));
    return end;
  }

  /**
   * Copies from a chunk until the frame has `bytes` bytes or the chunk ends; returns the offset
   * reached.
   */
  #fill(piece: Buffer, at: number, bytes: number): number {
    const end = Math.min(piece.length, at + Math.max(0, bytes - this.#begunBytes));
    this.#begunBytes += piece.copy(this.#begun, this.#begunBytes, at, end);
    return end;
  }
}

/** The length of a frame with its header. */
function frameBytes(bytes: Buffer, at: number): number {
  const length = bytes.readUIntBE(at, 3);
  if (length > defaultFrameBytes) throw new FrameError(`a frame of ${length} bytes is too large`);
  return frameHeadBytes + length;
}

function frameIn(bytes: Buffer, at: number, end: number): Frame {
  return {
    type: bytes[at + 3] ?? 0,
    flags: bytes[at + 4] ?? 0,
    streamId: bytes.readUInt32BE(at + 5) & 0x7f_ff_ff_ff,
    payload: bytes.subarray(at + frameHeadBytes, end),
  };
}
