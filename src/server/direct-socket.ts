import { Duplex } from 'node:stream';

type WriteCallback = (error?: Error | null) => void;

/** The address that both ends have: that of a client on the same machine. */
const address = '127.0.0.1';

/** One end of a connection inside this process, with what HTTP reads of a socket. */
export class DirectSocket extends Duplex {
  readonly remoteAddress = address;
  readonly localAddress = address;
  /** The bytes that the other end has been given. */
  bytesWritten = 0;
  #peer: DirectSocket | undefined;
  /** Continues the writes of this end, when the other one has room again. */
  #resume: WriteCallback | undefined;

  constructor() {
    super({ allowHalfOpen: false });
  }

  /** Connects two ends. */
  connect(peer: DirectSocket): void {
    this.#peer = peer;
    peer.#peer = this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: WriteCallback): void {
    this.#send([chunk], callback);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: WriteCallback): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      callback,
    );
  }

  override _read(): void {
    const peer = this.#peer;
    if (peer) peer.#continue();
  }

  override _final(callback: WriteCallback): void {
    const peer = this.#peer;
    if (peer) peer.#endReading();
    callback();
  }

  override _destroy(error: Error | null, callback: WriteCallback): void {
    const peer = this.#peer;
    if (peer) {
      peer.#endReading();
      if (peer.#resume) peer.#continue(brokenPipe());
    }
    callback(error);
  }

  /** All chunks are delivered at once, because joining them would copy them. */
  #send(chunks: readonly Buffer[], callback: WriteCallback): void {
    const peer = this.#peer;
    if (!peer || peer.destroyed || peer.readableEnded) return callback(brokenPipe());
    let hasRoom = true;
    for (const chunk of chunks) {
      this.bytesWritten += chunk.length;
      hasRoom = peer.push(chunk);
    }
    if (hasRoom) callback();
    else this.#resume = callback;
  }

  #continue(error?: Error): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.(error);
  }

  #endReading(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }
}

/** Makes both ends of a connection. */
export function connectedSockets(): readonly [DirectSocket, DirectSocket] {
  const ends = [new DirectSocket(), new DirectSocket()] as const;
  ends[0].connect(ends[1]);
  return ends;
}

/** The error of a write after the other end has gone. */
function brokenPipe(): Error {
  return Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
}
