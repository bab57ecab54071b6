import type { RuleWithOperations } from '../../gen/stored/admissionregistration-v1.ts';
import type { AdmissionAttributes, AdmittedVersion, Operation } from '../admission.ts';

/** The operations and resources that a rule of a webhook or policy matches. */
export interface AdmissionRule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** The resources with their sub-resources; `*` matches any. */
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[];
  readonly scope: string;
}

/** Reads a rule of an object. */
export function readRule(rule: RuleWithOperations): AdmissionRule {
  const { operations = [], apiGroups: groups = [], apiVersions: versions = [], resources = [] } = rule;
  return {
    operations,
    groups,
    versions,
    resources: resources.map((name) => {
      const slash = name.indexOf('/');
      return slash < 0
        ? { resource: name, subresource: '' }
        : { resource: name.slice(0, slash), subresource: name.slice(slash + 1) };
    }),
    scope: rule.scope || '*',
  };
}

/** The parts of a request that rules match. All requests of this kind match the same rules. */
export interface RequestKind {
  readonly operation: Operation;
  readonly subresource: string;
  readonly isNamespaced: boolean;
  /** The versions of the resource, beginning with the version of the request. */
  readonly versions: readonly AdmittedVersion[];
}

/**
 * The kind of a request. Namespaces count as cluster-scoped, although their own namespace is set.
 */
export function requestKindOf(attributes: AdmissionAttributes): RequestKind {
  const { operation, subresource, namespace } = attributes;
  return { operation, subresource, isNamespaced: namespace !== '', versions: attributes.versions() };
}

/** The key of a kind of request, among those with the same versions. */
export function requestKey({ operation, isNamespaced, subresource }: Omit<RequestKind, 'versions'>): string {
  return `${operation}${isNamespaced ? '+' : '-'}${subresource}`;
}

/** Reports whether a rule matches a kind of request in a version. */
export function matchesRule(
  rule: AdmissionRule,
  { operation, subresource, isNamespaced }: RequestKind,
  { resource }: AdmittedVersion,
): boolean {
  return (
    includes(rule.operations, operation) &&
    includes(rule.groups, resource.group) &&
    includes(rule.versions, resource.version) &&
    rule.resources.some((one) => isOrAny(one.resource, resource.resource) && isOrAny(one.subresource, subresource)) &&
    (rule.scope === '*' || rule.scope === (isNamespaced ? 'Namespaced' : 'Cluster'))
  );
}

function includes(accepted: readonly string[], value: string): boolean {
  return accepted.some((one) => isOrAny(one, value));
}

function isOrAny(accepted: string, value: string): boolean {
  return accepted === '*' || accepted === value;
}
