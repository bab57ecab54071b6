import type { CredentialSource } from './credential-source.ts';
import type { DirectServer } from '../direct-server.ts';

/** A user whom requests impersonate (spec 5.7). */
export interface ImpersonatedUser {
  readonly username: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A command that prints credentials (spec 5.8). */
export interface ExecSettings {
  /** A path, or a name to search in `PATH`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides the environment of this process. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** The group and version of its input and output. */
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Shown if the executable is missing. */
  readonly installHint?: string;
  /** Information about the cluster, if the command is to have it. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** Tokens of an OpenID provider, which are refreshed and written back. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM of the trusted CAs of the provider, which replace the system's. */
  readonly ca?: string;
  /** The client config file, and its user, into which refreshed tokens are written. */
  readonly file?: string;
  readonly user?: string;
}

/**
 * The address of a server, and the client's credentials, as resolved from a client config's
 * context.
 */
export interface ConnectionSettings {
  /** Origin, with a path prefix if the server has one: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The server, if it is in this process: requests are given to it without a connection. */
  readonly direct?: DirectServer;
  /** PEM of the trusted CAs, which replace the system's. */
  readonly ca?: string;
  /** PEM of a client certificate and its key; both or none. */
  readonly cert?: string;
  readonly key?: string;
  /** The files of the certificate and the key, if they are to be read again periodically. */
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly token?: string;
  /** A file that contains the token; read again periodically. */
  readonly tokenFile?: string;
  /** Used without a token. */
  readonly username?: string;
  readonly password?: string;
  /** A command that prints a token or a certificate, which are used in place of the others. */
  readonly exec?: ExecSettings;
  /** Tokens that are used in place of the others. */
  readonly oidc?: OidcSettings;
  /** Gives credentials that are used in place of the others. */
  readonly credentials?: CredentialSource;
  readonly impersonate?: ImpersonatedUser;
  /** The expected name in the server's certificate if it is not the host of `server`. */
  readonly serverName?: string;
  /** Skips the verification of the server's certificate. */
  readonly insecure?: boolean;
  /**
   * The proxy through which the server is reached: `http://`, `https://` or `socks5://`, with a
   * user and a password if it needs them.
   */
  readonly proxyUrl?: string;
  /**
   * Called when a connection is ready for a request, before anything of it is written. Throws
   * NotSentError if the request must not be sent.
   */
  readonly beforeSend?: () => void;
  /** The requests that are sent: a burst at once, then a number in a second; absent: no limit. */
  readonly requestRate?: { readonly perSecond: number; readonly burst: number };
  /** The namespace of requests that do not specify one. */
  readonly namespace: string;
}
