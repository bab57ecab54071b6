/** A rule of an ABAC policy file. An empty field restricts a rule as the empty value would. */
export interface Policy {
  /** A user, `*` for all, or '' to select by group only. */
  readonly user: string;
  /** A group, or '' to select by user only. Without user and group nobody matches. */
  readonly group: string;
  /** True if the rule allows only get, list and watch. */
  readonly readonly: boolean;
  /** The API group, resource and namespace of requests for resources; `*` means all. */
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  /** The path of other requests; `*` as its last character stands for any end. */
  readonly nonResourcePath: string;
}
