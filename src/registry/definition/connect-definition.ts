import type { JsonObject } from '../../meta/json-value.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { FieldError } from '../../status/field-error.ts';

/**
 * A CONNECT sub-resource: its requests are forwarded to a process elsewhere, such as a container
 * or a node agent. A request can last as long as a watch.
 */
export interface ConnectDefinition {
  /** Full name of the resource's group; '' for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** The kind that discovery lists, in the version of the resource; absent: the resource's kind. */
  readonly kind?: string;
  /** Returns the message whose fields are the query parameters, in a release; absent: unknown. */
  readonly options?: (release?: string) => ObjectSchema;
  /** True if it is a GET of text and not a connection: admission does not see it. */
  readonly reads?: true;
  /** Returns the errors of options; absent: all options of the right types are valid. */
  readonly validateOptions?: (options: JsonObject) => readonly FieldError[];
  /** The accepted HTTP methods. */
  readonly methods: readonly string[];
  /** True if the URL may continue with a path of the client's choice. */
  readonly hasPath: boolean;
  /** True if the object name may have the form `[scheme:]name[:port]`. */
  readonly hasPort: boolean;
}

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
  /** The encoded path at the location, without the part that the client sent. */
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
