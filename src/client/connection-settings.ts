/** How to reach a server and who to be there; what a client config's context comes down to. */
export interface ConnectionSettings {
  /** Origin, with a path prefix where the server is behind one: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** PEM of the CAs to trust instead of the system's. */
  readonly ca?: string;
  /** PEM of a client certificate and its key; both or none. */
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** A file that holds the token and is read again as it changes. */
  readonly tokenFile?: string;
  /** Name to expect in the server's certificate, where it is not the host of `server`. */
  readonly serverName?: string;
  /** Skips the check of the server's certificate. */
  readonly insecure?: boolean;
  /** Namespace for requests that name none. */
  readonly namespace: string;
}
