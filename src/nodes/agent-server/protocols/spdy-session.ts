import { Duplex } from 'node:stream';
import { createDeflate, createInflate, constants, type Deflate, type Inflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

/** The types of control frames that are understood. */
const synStream = 1;
const synReply = 2;
const rstStream = 3;
const ping = 6;
const goAway = 7;

const finFlag = 1;
const longestData = 16 * 1024;
/** Clients send far smaller frames. */
const largestFrame = 1024 * 1024;
/** The most bytes of headers after decompression: a frame may hold a thousand times its size. */
const largestHeaders = 64 * 1024;
/** The most streams that are open in a connection. */
const mostStreams = 2_000;

/** A stream that the client has opened, with the headers of its first frame. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  readonly duplex: Duplex;
}

/** A stream, and when its reader wants more. */
interface OpenStream {
  readonly duplex: Duplex;
  /** Resolves when the reader has taken what it was given, or the stream is closed. */
  readonly taken: () => Promise<void>;
}

/** Serves SPDY/3.1 over a connection. */
export function serveSpdy(transport: Duplex, onStream: (stream: SpdyStream) => void): void {
  void new SpdySession(transport, onStream).serve();
}

/**
 * The server's side of an SPDY/3.1 connection, as far as kubectl uses it: streams that the client
 * opens, without flow control and pushed streams. Frames are handled in their order.
 */
class SpdySession {
  readonly #transport: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #inflate: Inflate = createInflate({ dictionary: spdyDictionary });
  readonly #deflate: Deflate = createDeflate({ dictionary: spdyDictionary });
  readonly #streams = new Map<number, OpenStream>();
  #received: Buffer = Buffer.alloc(0);

  constructor(transport: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#transport = transport;
    this.#onStream = onStream;
  }

  /** Handles frames until the client ends the connection, for which its end of input counts. */
  async serve(): Promise<void> {
    const transport = this.#transport;
    for (const stream of [transport, this.#inflate, this.#deflate]) stream.on('error', () => {});
    transport.once('close', () => {
      for (const { duplex } of this.#streams.values()) duplex.destroy();
      for (const codec of [this.#inflate, this.#deflate]) codec.destroy();
    });
    try {
      // The next bytes are read when the frames before are handled, so that no queue grows.
      for await (const chunk of chunksOf(transport)) {
        this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
        await this.#handleAll();
      }
      transport.destroy();
    } catch (error) {
      transport.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #handleAll(): Promise<void> {
    while (this.#received.length >= 8) {
      const length = this.#received.readUIntBE(5, 3);
      if (length > largestFrame) throw new Error('the frame is too large');
      if (this.#received.length < 8 + length) return;
      const frame = this.#received.subarray(0, 8 + length);
      this.#received = this.#received.subarray(8 + length);
      if ((frame[0] ?? 0) & 0x80) await this.#handleControl(frame);
      else await this.#handleData(frame);
    }
  }

  async #handleData(frame: Buffer): Promise<void> {
    const stream = this.#streams.get(frame.readUInt32BE(0));
    if (!stream) return;
    // One slow reader holds the connection: streams of SPDY/3.1 share it without windows here.
    if (frame.length > 8 && !stream.duplex.push(frame.subarray(8))) await stream.taken();
    if ((frame[4] ?? 0) & finFlag) stream.duplex.push(null);
  }

  async #handleControl(frame: Buffer): Promise<void> {
    const type = frame.readUInt16BE(2);
    if (type === synStream) await this.#open(frame);
    else if (type === ping) await this.#send(frame);
    else if (type === rstStream) this.#streams.get(frame.readUInt32BE(8))?.duplex.destroy();
    else if (type === goAway) this.#transport.end();
  }

  /** Resolves when the bytes are written, or the connection is closed. */
  #send(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#transport.writable) this.#transport.write(bytes, () => resolve());
      else resolve();
    });
  }

  async #open(frame: Buffer): Promise<void> {
    const id = frame.readUInt32BE(8) & 0x7fffffff;
    if (this.#streams.size >= mostStreams) throw new Error('too many streams are open');
    // It would not be counted, and its end would take the other one out of the count.
    if (this.#streams.has(id)) throw new Error(`the stream ${id} is open already`);
    const headers = parseHeaders(await transformed(this.#inflate, frame.subarray(18)));
    const opened = this.#openStream(id);
    const { duplex } = opened;
    this.#streams.set(id, opened);
    const none = Buffer.alloc(4);
    await this.#sendControl(synReply, [idBytes(id), await transformed(this.#deflate, none)]);
    this.#onStream({ headers, duplex });
    if ((frame[4] ?? 0) & finFlag) duplex.push(null);
  }

  async #sendControl(type: number, parts: readonly Buffer[]): Promise<void> {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.writeUInt16BE(0x8003, 0);
    head.writeUInt16BE(type, 2);
    head.writeUIntBE(body.length, 5, 3);
    await this.#send(Buffer.concat([head, body]));
  }

  #sendData(id: number, data: Buffer, flags: number, done: (error?: Error | null) => void): void {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(id, 0);
    head.writeUInt8(flags, 4);
    head.writeUIntBE(data.length, 5, 3);
    if (this.#transport.writable) this.#transport.write(Buffer.concat([head, data]), done);
    else done(new Error('the connection is closed'));
  }

  #openStream(id: number): OpenStream {
    let wake: (() => void) | undefined;
    const duplex = new Duplex({
      read: () => wake?.(),
      write: (chunk: Buffer, _encoding, done) => {
        for (let at = 0; at < chunk.length; at += longestData) {
          const part = chunk.subarray(at, at + longestData);
          this.#sendData(id, part, 0, at + longestData >= chunk.length ? done : () => {});
        }
      },
      final: (done) => this.#sendData(id, Buffer.alloc(0), finFlag, done),
    });
    duplex
      .on('error', () => {})
      .once('close', () => {
        this.#streams.delete(id);
        wake?.();
      });
    const taken = async (): Promise<void> => {
      if (!duplex.destroyed) await new Promise<void>((resolve) => (wake = resolve));
    };
    return { duplex, taken };
  }
}

/** The input of a connection, which stays open after its last chunk. */
function chunksOf(transport: Duplex): AsyncIterable<Buffer> {
  return transport.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}

/** Passes headers through a compressor whose state goes on. Rejects if they are too large. */
function transformed(codec: Inflate | Deflate, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= largestHeaders) return;
      reject(new Error('the headers are too large'));
      codec.destroy();
    };
    codec.on('data', take).once('error', reject);
    codec.write(bytes);
    codec.flush(constants.Z_SYNC_FLUSH, () => {
      codec.off('data', take).off('error', reject);
      resolve(Buffer.concat(chunks));
    });
  });
}

function parseHeaders(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const next = (): string => {
    const length = block.readUInt32BE(at);
    at += 4 + length;
    return block.toString('latin1', at - length, at);
  };
  for (let left = block.readUInt32BE(0); left > 0; left--) headers.set(next().toLowerCase(), next());
  return headers;
}
