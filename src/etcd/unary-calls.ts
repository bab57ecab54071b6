import type { SecureContextOptions } from 'node:tls';
import { newCall } from './grpc-call.ts';
import { GrpcConnection } from './grpc-connection.ts';
import { GrpcError, notConnected } from './grpc-error.ts';

/** The calls that this server makes all the time, of etcd's key-value service. */
type KvMethod = 'Range' | 'Txn';

const paths: Readonly<Record<KvMethod, string>> = Object.freeze({
  Range: '/etcdserverpb.KV/Range',
  Txn: '/etcdserverpb.KV/Txn',
});

/**
 * Calls of one etcd member on one connection, which the first call makes, and the next one when it is lost or `tls` answers
 * other credentials; calls under way end on the connection that they have. Nothing is sent
 * twice. Throws `GrpcError`.
 */
export class UnaryCalls {
  readonly #address: string;
  readonly #tls: () => SecureContextOptions | undefined;
  /** Those of the connection. */
  #credentials: SecureContextOptions | undefined;
  #connection: GrpcConnection | undefined;
  #closed = false;

  constructor(address: string, tls: () => SecureContextOptions | undefined = () => undefined) {
    this.#address = address;
    this.#tls = tls;
  }

  /**
   * Sends a message and answers the one that comes back, both behind the heads that gRPC puts before messages. `atOnce`: without
   * waiting for what else is sent in this turn.
   */
  call(method: KvMethod, message: Buffer, timeoutMs: number, atOnce = false): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(notConnected('the client is closed'));
      const connection = this.#connected();
      const call = newCall(paths[method], message, (result) => {
        clearTimeout(timer);
        if (result instanceof GrpcError) reject(result);
        else resolve(result);
      });
      const timer = setTimeout(() => {
        connection.giveUp(call, `Deadline exceeded after ${timeoutMs / 1000}s`);
      }, timeoutMs);
      connection.start(call, atOnce);
    });
  }

  /** Ends the calls that are under way, and fails those that come. */
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
      onRetired: () => {
        if (this.#connection === connection) this.#connection = undefined;
      },
    });
    return connection;
  }
}
