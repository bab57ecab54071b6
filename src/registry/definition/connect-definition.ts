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
  /** The message whose fields are the query parameters; absent: they are not known. */
  readonly options?: () => ObjectSchema;
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
