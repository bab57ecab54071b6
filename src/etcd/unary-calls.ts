import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { failureIn, GrpcError, notConnected } from './grpc-error.ts';

/** The calls that this server makes all the time, of etcd's key-value service. */
export type KvMethod = 'Range' | 'Txn';

const headersOf = (method: KvMethod): Readonly<Record<string, string>> =>
  Object.freeze({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/etcdserverpb.KV/${method}`,
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    [constants.HTTP2_HEADER_TE]: 'trailers',
  });

const requestHeaders: Readonly<Record<KvMethod, Readonly<Record<string, string>>>> = {
  Range: headersOf('Range'),
  Txn: headersOf('Txn'),
};

/** What of an answer may be on its way before it is read; a page of objects fits. */
const windowBytes = 4 << 20;

const sessionOptions: SecureClientSessionOptions = {
  settings: { initialWindowSize: windowBytes, enablePush: false },
  // etcd sets its own limit, if it has one; until its settings come, Node would take it for a hundred.
  peerMaxConcurrentStreams: 2 ** 31,
  // In megabytes. Calls beyond it are refused, and the values of many writes at once count.
  maxSessionMemory: 4096,
};

/** A connection that went away without a word is noticed while it is idle, before somebody waits for it. */
const socketOptions = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };

/** A connection; until it is made, nothing has left this process on it. */
interface Connection {
  readonly session: ClientHttp2Session;
  made: boolean;
}

/** A call that waits for its answer. */
interface Pending {
  readonly stream: ClientHttp2Stream;
  readonly connection: Connection;
  readonly pieces: Buffer[];
  /** Where the status stands: the trailers, or the headers of an answer that has nothing else. */
  headers: IncomingHttpHeaders | undefined;
  failure: GrpcError | undefined;
}

/**
 * Calls of one etcd member over node:http2 itself: grpc-js takes several times as much CPU for them, more than all the rest
 * of a read. One connection, which the first call makes, and the next one when it is lost. Nothing is sent twice. Throws
 * `GrpcError`.
 */
export class UnaryCalls {
  readonly #address: string;
  readonly #options: SecureClientSessionOptions;
  #connection: Connection | undefined;
  #closed = false;

  constructor(address: string, tls: SecureClientSessionOptions | undefined) {
    this.#address = address;
    this.#options = { ...sessionOptions, ...socketOptions, ...tls };
  }

  /** Sends a message and answers the one that comes back, both with the heads that gRPC puts before messages. */
  call(method: KvMethod, message: Buffer, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const pending = this.#open(method);
      if (!pending) return reject(notConnected('the client is closed'));
      const { stream, pieces } = pending;
      const timer = setTimeout(() => this.#giveUp(pending, timeoutMs), timeoutMs);
      const takeHeaders = (headers: IncomingHttpHeaders): void => {
        pending.headers = headers;
      };
      stream.on('response', takeHeaders);
      stream.on('trailers', takeHeaders);
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      let answered = false;
      stream.on('end', () => {
        if (!pending.headers || failureIn(pending.headers)) return;
        answered = true;
        clearTimeout(timer);
        resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
      });
      stream.on('error', (error) => {
        pending.failure ??= lostCall(pending, error.message);
      });
      stream.on('close', () => {
        if (answered) return;
        clearTimeout(timer);
        reject(
          pending.failure ?? (pending.headers && failureIn(pending.headers)) ?? lostCall(pending, 'it was closed'),
        );
      });
      stream.end(message);
    });
  }

  /** Ends the calls that are under way, and fails those that come. */
  close(): void {
    this.#closed = true;
    this.#connection?.session.destroy();
  }

  #open(method: KvMethod): Pending | undefined {
    if (this.#closed) return undefined;
    const connection = this.#connected();
    try {
      return newPending(connection, method);
    } catch {
      // A session that is about to close takes no more calls.
      this.#forget(connection);
      return newPending(this.#connected(), method);
    }
  }

  #connected(): Connection {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  #connect(): Connection {
    const session = connect(this.#address, this.#options);
    const connection: Connection = { session, made: false };
    const forget = (): void => this.#forget(connection);
    session.once('connect', () => {
      connection.made = true;
      session.setLocalWindowSize(windowBytes);
    });
    // What is wrong shows on each stream; without a listener the error would end the process.
    session.on('error', forget);
    session.once('goaway', forget);
    session.once('close', forget);
    session.unref();
    return connection;
  }

  #forget(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  /** Who does not answer may have gone without a word: the next call makes a new connection. Others may still be answered. */
  #giveUp(pending: Pending, timeoutMs: number): void {
    const { connection, stream } = pending;
    const text = `Deadline exceeded after ${timeoutMs / 1000}s`;
    pending.failure = connection.made ? new GrpcError('DEADLINE_EXCEEDED', text) : notConnected(text);
    this.#forget(connection);
    stream.destroy(pending.failure);
    if (connection.made) connection.session.close();
    else connection.session.destroy();
  }
}

function newPending(connection: Connection, method: KvMethod): Pending {
  const stream = connection.session.request(requestHeaders[method]);
  return { stream, connection, pieces: [], headers: undefined, failure: undefined };
}

/** A call without an answer. etcd has not looked at those that it refuses (RFC 9113, 8.7), nor at those that were never sent. */
function lostCall({ connection, stream }: Pending, why: string): GrpcError {
  if (!connection.made) return notConnected(why);
  const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  return refused ? notConnected('the call was refused') : new GrpcError('UNAVAILABLE', `Connection dropped: ${why}`);
}
