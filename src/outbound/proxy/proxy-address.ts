/** The server behind a proxy. The proxy looks up its name. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/** The parts of the URL of a proxy. */
export interface ProxyAddress {
  readonly protocol: string;
  /** An IP address or a name. */
  readonly host: string;
  readonly port: number;
  /** '' for a proxy without authentication. */
  readonly username: string;
  readonly password: string;
}
