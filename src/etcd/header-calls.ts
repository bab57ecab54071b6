import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type SecureClientSessionOptions,
} from 'node:http2';
import type { EtcdHeader } from './revision-clock.ts';

/** Longer than etcd takes for anything but trouble; who waits in vain asks again by the usual way, which knows what to do. */
const timeoutMs = 1_000;

/** A gRPC message is its bytes behind a flag for compression and a length (gRPC over HTTP/2, Length-Prefixed-Message). */
const messageHeadBytes = 5;

const requestHeaders = Object.freeze({
  [constants.HTTP2_HEADER_METHOD]: 'POST',
  [constants.HTTP2_HEADER_PATH]: '/etcdserverpb.KV/Range',
  [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
  [constants.HTTP2_HEADER_TE]: 'trailers',
});

/**
 * Linearizable reads of nothing but the header of etcd's answer, by which every consistent read of this server learns how
 * fresh it must be. The call goes out over node:http2 itself: grpc-js takes several times as much CPU for it, more than all
 * the rest of a read. It knows success and nothing else; everything else is for the ordinary client to find out.
 */
export class HeaderCalls {
  readonly #address: string;
  readonly #tls: SecureClientSessionOptions | undefined;
  #session: ClientHttp2Session | undefined;
  #closed = false;

  constructor(address: string, tls: SecureClientSessionOptions | undefined) {
    this.#address = address;
    this.#tls = tls;
  }

  /** The header of a range over one key, which need not exist; undefined where there is no answer in time, or not this one. */
  read(key: Buffer): Promise<EtcdHeader | undefined> {
    return new Promise((resolve) => {
      const stream = this.#open();
      if (!stream) return resolve(undefined);
      const timer = setTimeout(() => this.#give(stream), timeoutMs);
      const settle = (header: EtcdHeader | undefined): void => {
        clearTimeout(timer);
        resolve(header);
      };
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('trailers', (trailers) => settle(trailers['grpc-status'] === '0' ? headerIn(pieces) : undefined));
      stream.once('error', () => settle(undefined));
      stream.once('close', () => settle(undefined));
      stream.end(rangeOfOne(key));
    });
  }

  close(): void {
    this.#closed = true;
    this.#session?.destroy();
  }

  #open(): ClientHttp2Stream | undefined {
    if (this.#closed) return undefined;
    try {
      this.#session ??= this.#connect();
      return this.#session.request(requestHeaders);
    } catch {
      // A session that is about to close takes no more requests.
      this.#session = undefined;
      return undefined;
    }
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.#address, { ...this.#tls });
    const forget = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    // What is wrong shows on each stream; without a listener the error would end the process.
    session.once('error', forget);
    session.once('goaway', forget);
    session.once('close', forget);
    session.unref();
    return session;
  }

  /** Who does not answer may have gone without a word; the next call makes a new connection. */
  #give(stream: ClientHttp2Stream): void {
    const { session } = stream;
    if (session === this.#session) this.#session = undefined;
    session?.destroy();
    stream.destroy();
  }
}

/** RangeRequest: `key` is field 1, `count_only` field 9. */
function rangeOfOne(key: Buffer): Buffer {
  const message = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(key)
    .tag(9, WireType.Varint)
    .bool(true)
    .finish();
  const framed = Buffer.alloc(messageHeadBytes + message.length);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, messageHeadBytes);
  return framed;
}

/** ResponseHeader, field 1 of a RangeResponse: `cluster_id` is its field 1, `revision` its field 3. */
function headerIn(pieces: readonly Buffer[]): EtcdHeader | undefined {
  const answer = Buffer.concat(pieces);
  if (answer.length < messageHeadBytes || answer[0] !== 0) return undefined;
  if (answer.readUInt32BE(1) !== answer.length - messageHeadBytes) return undefined;
  const reader = new BinaryReader(answer.subarray(messageHeadBytes));
  const [field, type] = reader.tag();
  if (field !== 1 || type !== WireType.LengthDelimited) return undefined;
  const end = reader.uint32() + reader.pos;
  const header = { cluster_id: '', revision: '' };
  while (reader.pos < end) {
    const [part, wireType] = reader.tag();
    if (part === 1) header.cluster_id = String(reader.uint64());
    else if (part === 3) header.revision = String(reader.int64());
    else reader.skip(wireType);
  }
  return header.cluster_id && header.revision ? header : undefined;
}
