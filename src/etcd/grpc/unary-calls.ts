import type { SecureContextOptions } from 'node:tls';
import { newCall } from './grpc-call.ts';
import { GrpcConnection } from './grpc-connection.ts';
import { encodeFields } from './hpack.ts';
import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import { GrpcError, notConnected } from './grpc-error.ts';

/** The methods of etcd's key-value service that each request needs. */
type KvMethod = 'Range' | 'Txn';

const paths: Readonly<Record<KvMethod, string>> = Object.freeze({
  Range: '/etcdserverpb.KV/Range',
  Txn: '/etcdserverpb.KV/Txn',
});

/** The callbacks of calls, and the socket that leads to the member. */
interface CallHooks {
  /** Called for each connection when it is open, before a call is sent over it. */
  readonly onOpen?: () => void;
  readonly tracing?: Tracing | undefined;
  /** The Unix socket that leads to the member; undefined: it is connected directly. */
  readonly path?: string | undefined;
}

/** The attributes of the span of a call (OpenTelemetry's conventions for RPC). */
function spanAttributes(method: KvMethod, address: string): SpanAttributes {
  const { hostname, port } = new URL(address);
  return {
    'rpc.system': 'grpc',
    'rpc.service': 'etcdserverpb.KV',
    'rpc.method': method,
    'server.address': hostname,
    'server.port': Number(port),
  };
}

/** How a call is sent. */
interface SendOptions {
  /** Sends it without waiting for other calls of this loop turn. */
  readonly atOnce?: boolean;
  /**
   * Sends it only over a connection that is open now; without one it fails as never sent, and a
   * connection is opened for later calls.
   */
  readonly onlyIfOpen?: boolean;
}

/**
 * Calls to one etcd member on one connection. The first call opens it. A new one is opened after it
 * was lost, or when `tls` returns other credentials; running calls finish on their own connection.
 * No call is sent twice. Throws `GrpcError`.
 */
export class UnaryCalls {
  readonly #address: string;
  readonly #tls: () => SecureContextOptions | undefined;
  /** The credentials of the present connection. */
  #credentials: SecureContextOptions | undefined;
  #connection: GrpcConnection | undefined;
  readonly #onOpen: () => void;
  readonly #tracing: Tracing | undefined;
  readonly #path: string | undefined;
  #closed = false;

  constructor(
    address: string,
    tls: () => SecureContextOptions | undefined = () => undefined,
    { onOpen = () => {}, tracing, path }: CallHooks = {},
  ) {
    this.#address = address;
    this.#tls = tls;
    this.#onOpen = onOpen;
    this.#tracing = tracing;
    this.#path = path;
  }

  /** Sends a message and returns the response, both with gRPC message headers. */
  call(method: KvMethod, message: Buffer, timeoutMs: number, options: SendOptions = {}): Promise<Buffer> {
    const tracing = this.#tracing;
    if (!tracing) return this.#call(method, message, timeoutMs, options);
    const send = () => this.#call(method, message, timeoutMs, options, encodeFields(tracing.headers()));
    return tracing.child(paths[method].slice(1), () => spanAttributes(method, this.#address), send, 'client');
  }

  #call(
    method: KvMethod,
    message: Buffer,
    timeoutMs: number,
    options: SendOptions,
    metadata?: Buffer,
  ): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(notConnected('the client is closed'));
      const connection = this.#connected();
      if (options.onlyIfOpen && !connection.opened) return reject(notConnected('the connection is not open yet'));
      const call = newCall(paths[method], message, (result) => {
        clearTimeout(timer);
        if (result instanceof GrpcError) reject(result);
        else resolve(result);
      });
      call.metadata = metadata;
      const timer = setTimeout(() => {
        connection.giveUp(call, `Deadline exceeded after ${timeoutMs / 1000}s`);
      }, timeoutMs);
      connection.start(call, options.atOnce);
    });
  }

  /** Fails running and later calls. */
  close(): void {
    this.#closed = true;
    this.#connection?.destroy('the client is closed');
  }

  #connected(): GrpcConnection {
    if (this.#connection && this.#tls() !== this.#credentials) this.#connection.retire();
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  #connect(): GrpcConnection {
    const tls = this.#tls();
    this.#credentials = tls;
    const connection = new GrpcConnection({
      address: this.#address,
      tls,
      path: this.#path,
      onOpen: this.#onOpen,
      onRetired: () => {
        if (this.#connection === connection) this.#connection = undefined;
      },
    });
    return connection;
  }
}
