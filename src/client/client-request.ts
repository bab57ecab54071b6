import type { Duplex } from 'node:stream';

/** A request with its headers; names are in lower case. */
export interface ClientRequest {
  readonly method: string;
  /** Encoded, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  /** Streams only: the longest time without a byte. */
  readonly idleTimeoutMs: number | undefined;
}

/**
 * The kinds of requests: ordinary ones, those with a response without an end, and those that ask
 * for another protocol on a connection of their own.
 */
export type RequestKind = 'requests' | 'streams' | 'upgrades';

/** A response whose body is read in one of two ways. */
export interface ClientResponse {
  readonly status: number;
  /** The value of a header by its name in lower case; several values are joined. */
  readonly header: (name: string) => string | undefined;
  /**
   * The whole body. Others may share the bytes: they must not be changed. Rejects if there are more
   * than `limitBytes`.
   */
  bytes(limitBytes: number): Promise<Buffer>;
  /** The body as it arrives. Throws `IdleTimeout` if nothing arrives for too long. */
  stream(): AsyncIterable<Uint8Array>;
  /** Only upgrades with the status 101: the connection, which is the caller's. */
  readonly socket?: Duplex;
}
