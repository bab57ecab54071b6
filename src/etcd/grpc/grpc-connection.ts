import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { answerOf, type GrpcCall, receiveData } from './grpc-call.ts';
import { failureIn, GrpcError, notConnected } from './grpc-error.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { encodeFields, type HeaderFields } from './hpack.ts';
import {
  decodeSettings,
  defaultFrameBytes,
  defaultWindowBytes,
  encodeFrame,
  encodeSettings,
  errorCodes,
  flags,
  type Frame,
  FrameError,
  frameHeadBytes,
  FrameReader,
  frameTypes,
  preface,
  settings,
  uint32,
  unpadded,
  writeFrameHead,
} from './http2-frames.ts';
import { openSocket } from './open-socket.ts';

/** The address of a connection, its credentials, and the callback of its owner. */
interface GrpcPlace {
  /** `http://host:port` or `https://host:port`. */
  readonly address: string;
  readonly tls: SecureContextOptions | undefined;
  /** The Unix socket that leads to the address; undefined: it is connected directly. */
  readonly path?: string | undefined;
  /** Called once when the connection is open, before a call is sent. */
  readonly onOpen: () => void;
  /** Called once when the connection takes no more calls. */
  readonly onRetired: () => void;
}

/** Receive window of each stream and of the connection. */
const windowBytes = 8 << 20;
const lastStreamId = 2 ** 31 - 1;

/** Limits that the peer announced. */
interface PeerSettings {
  readonly window: number;
  readonly frame: number;
  readonly streams: number;
}

/**
 * Limits before the peer's SETTINGS frame (RFC 9113, 6.5.2), and the defaults for values missing in
 * it.
 */
const assumedSettings: PeerSettings = { window: defaultWindowBytes, frame: defaultFrameBytes, streams: 100 };
const defaultSettings: PeerSettings = { ...assumedSettings, streams: Infinity };

/**
 * Unary gRPC calls on one HTTP/2 connection, which implements only the part of the protocol that
 * they need. A general HTTP/2 client takes more CPU per call than the rest of a read. Without
 * dynamic header tables, response headers are identical bytes each time and are decoded once. The
 * frames of one loop turn are sent in one write.
 */
export class GrpcConnection {
  readonly #socket: Socket;
  readonly #onOpen: () => void;
  readonly #onRetired: () => void;
  readonly #origin: Readonly<Record<':scheme' | ':authority', string>>;
  readonly #headers = new Map<string, Buffer>();
  readonly #blocks = new HeaderBlocks();
  readonly #reader = new FrameReader((frame) => this.#handlers[frame.type]?.(frame));
  /** Sent and unanswered calls, by stream ID. */
  readonly #calls = new Map<number, GrpcCall>();
  /** Calls that are not yet sent. */
  readonly #waiting = new Set<GrpcCall>();
  /** Sent calls whose message waits for the peer's flow-control window. */
  readonly #blocked = new Set<GrpcCall>();
  #made = false;
  #retired = false;
  #nextStreamId = 1;
  #window = defaultWindowBytes;
  #unacknowledged = 0;
  #peer = assumedSettings;
  #outgoing: Buffer[] = [];
  #problem: string | undefined;

  constructor({ address, tls, path, onOpen, onRetired }: GrpcPlace) {
    const url = new URL(address);
    this.#onOpen = onOpen;
    this.#onRetired = onRetired;
    this.#origin = { ':scheme': url.protocol.slice(0, -1), ':authority': url.host };
    this.#socket = openSocket(
      { url, path, tls: tls ?? {} },
      { onOpen: () => this.#begin(), onRead: (bytes) => this.#read(bytes) },
    );
    this.#socket.on('end', () => this.#socket.destroy());
    this.#socket.on('error', (error) => {
      this.#problem ??= error.message;
    });
    this.#socket.once('close', () => this.#end());
    this.#socket.unref();
  }

  /** True once the connection is open. */
  get opened(): boolean {
    return this.#made;
  }

  /**
   * Sends a call as soon as the connection allows, at the end of the loop turn; with `atOnce`
   * without that wait, which suits a call that is alone in its turn.
   */
  start(call: GrpcCall, atOnce = false): void {
    if (this.#made && this.#calls.size < this.#peer.streams) this.#send(call);
    else this.#waiting.add(call);
    if (atOnce) this.#flush();
  }

  /** Fails a call that timed out and retires the connection, because the peer may be gone. */
  giveUp(call: GrpcCall, text: string): void {
    const begun = call.streamId > 0;
    if (begun) this.#reset(call);
    this.#settle(call, begun ? new GrpcError('DEADLINE_EXCEEDED', text) : notConnected(text));
    this.retire();
  }

  /** Takes no more calls; closes the connection when the present calls are settled. */
  retire(): void {
    if (!this.#retired) this.#onRetired();
    this.#retired = true;
    if (this.#calls.size === 0 && this.#waiting.size === 0) this.destroy('it is no longer needed');
  }

  /** Closes the connection at once; unsettled calls fail. */
  destroy(why: string): void {
    this.#problem ??= why;
    this.#socket.destroy();
  }

  #reset({ streamId }: GrpcCall): void {
    this.#write(encodeFrame(frameTypes.resetStream, streamId, uint32(errorCodes.cancel)));
  }

  #begin(): void {
    this.#made = true;
    this.#onOpen();
    const wishes = encodeSettings([
      [settings.headerTableSize, 0],
      [settings.enablePush, 0],
      [settings.initialWindowSize, windowBytes],
    ]);
    this.#write(preface);
    this.#write(encodeFrame(frameTypes.settings, 0, wishes));
    this.#write(encodeFrame(frameTypes.windowUpdate, 0, uint32(windowBytes - defaultWindowBytes)));
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    for (const call of this.#waiting) {
      if (this.#calls.size >= this.#peer.streams) return;
      this.#waiting.delete(call);
      this.#send(call);
    }
  }

  #send(call: GrpcCall): void {
    call.streamId = this.#nextStreamId;
    call.window = this.#peer.window;
    this.#nextStreamId += 2;
    this.#calls.set(call.streamId, call);
    if (this.#nextStreamId > lastStreamId) this.retire();
    const { message } = call;
    const common = this.#headersOf(call.path);
    const headers = call.metadata ? Buffer.concat([common, call.metadata]) : common;
    if (message.length <= Math.min(this.#window, call.window, this.#peer.frame)) {
      this.#window -= message.length;
      this.#write(encodeCall(call.streamId, headers, message));
      return;
    }
    this.#write(encodeFrame(frameTypes.headers, call.streamId, headers, flags.endHeaders));
    this.#blocked.add(call);
    this.#sendBlocked();
  }

  /** Sends as much of the blocked messages as the windows allow. */
  #sendBlocked(): void {
    for (const call of this.#blocked) {
      const { message, streamId } = call;
      for (;;) {
        const length = Math.min(this.#window, call.window, this.#peer.frame, message.length - call.sent);
        if (length <= 0) break;
        const piece = message.subarray(call.sent, call.sent + length);
        call.sent += length;
        call.window -= length;
        this.#window -= length;
        const last = call.sent === message.length;
        this.#write(encodeFrame(frameTypes.data, streamId, piece, last ? flags.endStream : 0));
        if (last) this.#blocked.delete(call);
      }
    }
  }

  #headersOf(path: string): Buffer {
    let headers = this.#headers.get(path);
    if (!headers) {
      headers = encodeFields({
        ':method': 'POST',
        ...this.#origin,
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      this.#headers.set(path, headers);
    }
    return headers;
  }

  #write(bytes: Buffer): void {
    this.#outgoing.push(bytes);
    if (this.#outgoing.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const [first] = this.#outgoing;
    if (!first) return;
    const bytes = this.#outgoing.length === 1 ? first : Buffer.concat(this.#outgoing);
    this.#outgoing = [];
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  #read(bytes: Buffer): void {
    try {
      this.#reader.read(bytes);
    } catch (error) {
      // The rest of the stream cannot be parsed; the calls fail with this message.
      this.destroy(error instanceof Error ? error.message : String(error));
    }
  }

  readonly #handlers: Readonly<Record<number, (frame: Frame) => void>> = {
    [frameTypes.data]: (frame) => this.#takeData(frame),
    [frameTypes.headers]: (frame) => this.#takeBlock(this.#blocks.begin(frame)),
    [frameTypes.continuation]: (frame) => this.#takeBlock(this.#blocks.proceed(frame)),
    [frameTypes.resetStream]: (frame) => this.#takeReset(frame),
    [frameTypes.settings]: (frame) => this.#takeSettings(frame),
    [frameTypes.pushPromise]: () => {
      throw new FrameError('the server sent a PUSH_PROMISE frame');
    },
    [frameTypes.ping]: ({ flags: set, payload }) => {
      if (!(set & flags.ack)) this.#write(encodeFrame(frameTypes.ping, 0, payload, flags.ack));
    },
    [frameTypes.goAway]: (frame) => this.#takeGoAway(frame),
    [frameTypes.windowUpdate]: (frame) => this.#takeWindowUpdate(frame),
  };

  #takeData(frame: Frame): void {
    const { streamId, payload } = frame;
    this.#unacknowledged = this.#acknowledged(0, this.#unacknowledged + payload.length);
    const call = this.#calls.get(streamId);
    if (!call) return;
    receiveData(call, unpadded(frame));
    if (frame.flags & flags.endStream) this.#finish(call, undefined);
    else call.unacknowledged = this.#acknowledged(streamId, call.unacknowledged + payload.length);
  }

  /**
   * Sends a WINDOW_UPDATE when half a window has arrived; returns the bytes that are not yet
   * acknowledged.
   */
  #acknowledged(streamId: number, bytes: number): number {
    if (bytes < windowBytes / 2) return bytes;
    this.#write(encodeFrame(frameTypes.windowUpdate, streamId, uint32(bytes)));
    return 0;
  }

  #takeBlock(block: HeaderBlock | undefined): void {
    const call = block && this.#calls.get(block.frame.streamId);
    if (!call) return;
    if (block.frame.flags & flags.endStream) this.#finish(call, block.fields);
    else call.fields = block.fields;
  }

  #finish(call: GrpcCall, trailers: HeaderFields | undefined): void {
    const failure = failureIn(trailers, call.fields);
    if (this.#blocked.has(call)) this.#reset(call);
    this.#settle(call, failure ?? answerOf(call));
  }

  #takeReset({ streamId, payload }: Frame): void {
    const call = this.#calls.get(streamId);
    if (!call || payload.length < 4) return;
    const code = payload.readUInt32BE(0);
    // etcd has not processed a refused stream (RFC 9113, 8.7).
    if (code === errorCodes.refusedStream) this.#settle(call, notConnected('the call was refused'));
    else this.#settle(call, new GrpcError('UNAVAILABLE', `Connection dropped: the server reset the stream (${code})`));
  }

  #takeSettings({ flags: set, payload }: Frame): void {
    if (set & flags.ack) return;
    const values = decodeSettings(payload);
    const before = this.#peer === assumedSettings ? defaultSettings : this.#peer;
    this.#peer = {
      window: values.get(settings.initialWindowSize) ?? before.window,
      frame: values.get(settings.maxFrameSize) ?? before.frame,
      streams: values.get(settings.maxConcurrentStreams) ?? before.streams,
    };
    for (const call of this.#blocked) call.window += this.#peer.window - before.window;
    this.#write(encodeFrame(frameTypes.settings, 0, Buffer.alloc(0), flags.ack));
    this.#sendBlocked();
    this.#sendWaiting();
  }

  #takeGoAway({ payload }: Frame): void {
    const last = payload.length < 4 ? 0 : payload.readUInt32BE(0) & lastStreamId;
    for (const call of this.#waiting) this.#settle(call, notConnected('the server is going away'));
    for (const call of this.#calls.values()) {
      if (call.streamId > last) this.#settle(call, notConnected('the server is going away'));
    }
    this.retire();
  }

  #takeWindowUpdate({ streamId, payload }: Frame): void {
    if (payload.length < 4) throw new FrameError('a WINDOW_UPDATE frame is truncated');
    const more = payload.readUInt32BE(0) & lastStreamId;
    const call = this.#calls.get(streamId);
    if (streamId === 0) this.#window += more;
    else if (call) call.window += more;
    if (this.#blocked.size > 0) this.#sendBlocked();
  }

  #settle(call: GrpcCall, result: Buffer | GrpcError): void {
    this.#calls.delete(call.streamId);
    this.#waiting.delete(call);
    this.#blocked.delete(call);
    call.settle(result);
    if (this.#waiting.size > 0 && this.#made) this.#sendWaiting();
    if (this.#retired) this.retire();
  }

  #end(): void {
    if (!this.#retired) this.#onRetired();
    this.#retired = true;
    const why = this.#problem ?? 'it was closed';
    for (const call of this.#waiting) call.settle(notConnected(why));
    for (const call of this.#calls.values()) call.settle(new GrpcError('UNAVAILABLE', `Connection dropped: ${why}`));
    this.#waiting.clear();
    this.#calls.clear();
    this.#blocked.clear();
  }
}

/** The HEADERS and DATA frames of a call in one buffer; nearly all calls fit into these. */
function encodeCall(streamId: number, headers: Buffer, message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(2 * frameHeadBytes + headers.length + message.length);
  const [headersHead, dataHead] = [
    { type: frameTypes.headers, flags: flags.endHeaders, streamId, length: headers.length },
    { type: frameTypes.data, flags: flags.endStream, streamId, length: message.length },
  ];
  let at = writeFrameHead(bytes, 0, headersHead);
  at += headers.copy(bytes, at);
  at = writeFrameHead(bytes, at, dataHead);
  message.copy(bytes, at);
  return bytes;
}
