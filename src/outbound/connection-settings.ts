/**
 * The address of a server, and the client's credentials, as resolved from a client config's
 * context.
 */
export interface ConnectionSettings {
  /** Origin, with a path prefix if the server has one: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** PEM of the trusted CAs, which replace the system's. */
  readonly ca?: string;
  /** PEM of a client certificate and its key; both or none. */
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** A file that contains the token; read again periodically. */
  readonly tokenFile?: string;
  /** Used without a token. */
  readonly username?: string;
  readonly password?: string;
  /** The expected name in the server's certificate if it is not the host of `server`. */
  readonly serverName?: string;
  /** Skips the verification of the server's certificate. */
  readonly insecure?: boolean;
  /** The namespace of requests that do not specify one. */
  readonly namespace: string;
}
