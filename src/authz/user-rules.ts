/**
 * The permissions of a user in a namespace, for display. `incomplete` is true if an authorizer
 * cannot list its rules.
 */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  /** The reasons why rules can be missing; '' without any. */
  readonly evaluationError: string;
}

/** A rule for resources; `*` means all. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A rule for paths; `*` means all. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** No permission. */
export const noRules: UserRules = Object.freeze({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
  evaluationError: '',
});

/** All permissions. */
export const allRules: UserRules = Object.freeze({
  ...noRules,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});
