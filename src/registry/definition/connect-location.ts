import type { JsonObject } from '../../meta/json-value.ts';

/** The request for a connection to an object, with options of their kinds. */
export interface LocatedRequest<T = JsonObject, Options = JsonObject> {
  readonly namespace: string;
  readonly name: string;
  readonly object: T;
  /** The options of the connection, admitted. */
  readonly options: Options;
  /** The scheme and the port in the URL; '' if absent. */
  readonly scheme: string;
  readonly port: string;
  readonly signal: AbortSignal;
}

/** The server behind a connect sub-resource. */
export interface ConnectLocation {
  readonly scheme: 'http' | 'https';
  /** An IP address, or a name. */
  readonly host: string;
  /** A number, or the name of a well-known port. */
  readonly port: string;
  /** The encoded path of the request, without that of the client. */
  readonly path: string;
  /** The encoded query; '' if absent. */
  readonly query: string;
  /** True for a node agent, to which this server authenticates itself. */
  readonly isNodeAgent: boolean;
  /** Skips the verification of a node agent's certificate. */
  readonly insecure?: boolean;
}

/**
 * Finds the server behind a connect sub-resource; undefined if the object is not running anywhere
 * and has nothing to read. Throws `StatusError`.
 */
export type LocateConnect<T = JsonObject, Options = JsonObject> = (
  request: LocatedRequest<T, Options>,
) => Promise<ConnectLocation | undefined>;
