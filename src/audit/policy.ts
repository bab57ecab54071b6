import type { UserInfo } from '../meta/user-info.ts';
import type { AuditLevel, AuditStage } from './audit-event.ts';

/** The decision of a policy on a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  /** The stages that are not recorded. */
  readonly omitStages: ReadonlySet<AuditStage>;
  /** Leaves `metadata.managedFields` out of recorded objects. */
  readonly omitManagedFields: boolean;
}

/** The resources of an API group that a rule is for. */
export interface AuditedResources {
  /** The full group name, '' for core. */
  readonly group: string;
  /**
   * `pods`, `pods/log`, `pods/*` with all sub-resources, or `*`/`scale` with all resources; empty:
   * all of the group.
   */
  readonly resources: readonly string[];
  /** The names of objects; empty: all. */
  readonly resourceNames: ReadonlySet<string>;
}

/** A rule. A request must match all conditions that are not empty. */
export interface AuditRule extends AuditDecision {
  readonly users: ReadonlySet<string>;
  readonly userGroups: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  /** '' stands for resources without namespaces. */
  readonly namespaces: ReadonlySet<string>;
  readonly resources: readonly AuditedResources[];
  /** Paths; a `*` at the end stands for all that begin so. */
  readonly nonResourceUrls: readonly string[];
}

/** The rules of an audit policy. The first one that matches decides. */
export type AuditPolicy = readonly AuditRule[];

/** The parts of a resource path that rules look at. */
export interface AuditedTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The attributes of a request that a policy examines. */
export interface AuditAttributes {
  /** The authenticated user, not the impersonated one; undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly verb: string;
  /** The resource; undefined for non-resource requests. */
  readonly target: AuditedTarget | undefined;
  readonly path: string;
}

const notRecorded: AuditDecision = Object.freeze({
  level: 'None',
  omitStages: new Set<never>(),
  omitManagedFields: false,
});

/** Returns the decision of the first rule that matches; without one nothing is recorded. */
export function decideAudit(policy: AuditPolicy, attributes: AuditAttributes): AuditDecision {
  for (const rule of policy) if (matches(rule, attributes)) return rule;
  return notRecorded;
}

function matches(rule: AuditRule, attributes: AuditAttributes): boolean {
  const { users, verbs, namespaces, resources, nonResourceUrls } = rule;
  const { user, verb, target, path } = attributes;
  if (users.size > 0 && !(user && users.has(user.username))) return false;
  if (!matchesGroups(rule, user)) return false;
  if (verbs.size > 0 && !verbs.has(verb)) return false;
  if (namespaces.size > 0 || resources.length > 0) return target !== undefined && matchesTarget(rule, target);
  if (nonResourceUrls.length === 0) return true;
  return target === undefined && nonResourceUrls.some((pattern) => matchesPath(pattern, path));
}

function matchesGroups({ userGroups }: AuditRule, user: UserInfo | undefined): boolean {
  if (userGroups.size === 0) return true;
  return user !== undefined && user.groups.some((group) => userGroups.has(group));
}

function matchesTarget({ namespaces, resources }: AuditRule, target: AuditedTarget): boolean {
  if (namespaces.size > 0 && !namespaces.has(target.namespace)) return false;
  return resources.length === 0 || resources.some((entry) => matchesResources(entry, target));
}

function matchesResources({ group, resources, resourceNames }: AuditedResources, target: AuditedTarget): boolean {
  if (group !== target.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.size > 0 && !resourceNames.has(target.name)) return false;
  return resources.some((pattern) => matchesResource(pattern, target));
}

function matchesResource(pattern: string, { resource, subresource }: AuditedTarget): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  if (pattern === '*' || pattern === full) return true;
  if (subresource !== '' && pattern === `*/${subresource}`) return true;
  return pattern === `${resource}/*`;
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
