import type { UserInfo } from '../../meta/user-info.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts';
import { noRules, type UserRules } from '../user-rules.ts';

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * `--authorization-mode=ABAC`: allows requests that one of the policies allows, and has no opinion
 * on others.
 */
export function abac(policies: readonly Policy[]): Authorizer {
  const allow = { decision: 'allow', reason: '' } as const;
  const noOpinion = { decision: 'no-opinion', reason: 'No policy matched.' } as const;
  return {
    name: 'ABAC',
    authorize: (attributes) => (policies.some((policy) => matches(policy, attributes)) ? allow : noOpinion),
    rulesFor: (user, namespace) => rulesOf(policies, user, namespace),
  };
}

/** The policies for a user as rules. */
function rulesOf(policies: readonly Policy[], user: UserInfo, namespace: string): UserRules {
  const matching = policies.filter((policy) => matchesSubject(policy, user));
  const inNamespace = matching.filter((policy) => isOneOf(policy.namespace, namespace));
  return {
    ...noRules,
    resourceRules: inNamespace.flatMap(({ resource, apiGroup, ...policy }) =>
      resource === '' ? [] : [{ verbs: verbsOf(policy), apiGroups: [apiGroup], resources: [resource] }],
    ),
    nonResourceRules: matching.flatMap(({ nonResourcePath, ...policy }) =>
      nonResourcePath === '' ? [] : [{ verbs: verbsOf(policy), nonResourceURLs: [nonResourcePath] }],
    ),
  };
}

function verbsOf(policy: Pick<Policy, 'readonly'>): readonly string[] {
  return policy.readonly ? [...readVerbs] : ['*'];
}

function matches(policy: Policy, attributes: AuthorizationAttributes): boolean {
  return (
    matchesSubject(policy, attributes.user) &&
    (!policy.readonly || readVerbs.has(attributes.verb)) &&
    (attributes.resourceRequest ? matchesResource(policy, attributes) : matchesPath(policy, attributes.path))
  );
}

function matchesSubject({ user, group }: Policy, { username, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === '*' || user === username) && (group === '' || groups.includes(group));
}

function matchesResource(policy: Policy, attributes: AuthorizationAttributes): boolean {
  return (
    isOneOf(policy.namespace, attributes.namespace) &&
    isOneOf(policy.resource, attributes.resource) &&
    isOneOf(policy.apiGroup, attributes.apiGroup)
  );
}

function isOneOf(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}

function matchesPath({ nonResourcePath }: Policy, path: string): boolean {
  if (nonResourcePath === path) return true;
  return nonResourcePath.endsWith('*') && path.startsWith(nonResourcePath.replace(/\*+$/, ''));
}

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
