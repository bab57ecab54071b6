/**
 * A sub-resource that is no object: its requests are for a process that runs elsewhere, such as a
 * container or a kubelet. They can last as long as a watch.
 */
export interface ConnectDefinition {
  /** The full name of the group of its resource; '' for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** The methods of HTTP that it accepts. */
  readonly methods: readonly string[];
  /** True where the client's own path may follow the name of the sub-resource. */
  readonly hasPath: boolean;
  /** True where the name of the object may be `[scheme:]name[:port]`. */
  readonly hasPort: boolean;
}
