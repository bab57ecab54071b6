import type { AuthorizationAttributes } from '../authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';
import { appendTo } from '../../meta/group-by.ts';

/** A request with the names under which the resources of rules can match it. */
export interface RuleRequest {
  readonly attributes: AuthorizationAttributes;
  /** `pods` or `pods/log`; '' for paths. */
  readonly resource: string;
  /** `*` and the sub-resource after a slash; '' without one. */
  readonly anyParent: string;
}

/** Prepares a request for `RoleRules.find`. */
export function ruleRequest(attributes: AuthorizationAttributes): RuleRequest {
  const { resource, subresource } = attributes;
  if (subresource === '') return { attributes, resource, anyParent: '' };
  return { attributes, resource: `${resource}/${subresource}`, anyParent: `*/${subresource}` };
}

/** The rules of a role, indexed on first use by the resources in them. */
export class RoleRules {
  readonly rules: readonly PolicyRule[];
  #byResource: ReadonlyMap<string, readonly PolicyRule[]> | undefined;

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
  }

  /** Returns a rule that allows the request. */
  find(request: RuleRequest): PolicyRule | undefined {
    const { attributes, resource, anyParent } = request;
    if (!attributes.resourceRequest) return this.rules.find((rule) => allowsPath(rule, attributes));
    const byResource = (this.#byResource ??= indexByResource(this.rules));
    return (
      allowing(byResource.get(resource), attributes) ??
      allowing(byResource.get('*'), attributes) ??
      (anyParent === '' ? undefined : allowing(byResource.get(anyParent), attributes))
    );
  }
}

function indexByResource(rules: readonly PolicyRule[]): ReadonlyMap<string, readonly PolicyRule[]> {
  const found = new Map<string, PolicyRule[]>();
  for (const rule of rules) {
    for (const resource of new Set(rule.resources)) {
      appendTo(found, resource, rule);
    }
  }
  return found;
}

/** The first of these rules, whose resources match, that allows the rest of the request. */
function allowing(
  rules: readonly PolicyRule[] | undefined,
  { verb, apiGroup, name }: AuthorizationAttributes,
): PolicyRule | undefined {
  return rules?.find(
    (rule) =>
      has(rule.verbs, verb) &&
      has(rule.apiGroups, apiGroup) &&
      (rule.resourceNames.length === 0 || rule.resourceNames.includes(name)),
  );
}

function allowsPath(rule: PolicyRule, { verb, path }: AuthorizationAttributes): boolean {
  return has(rule.verbs, verb) && rule.nonResourceURLs.some((pattern) => matchesPath(pattern, path));
}

/** Reports whether a path matches a pattern: exactly, or as a prefix before a final `*`. */
function matchesPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}

function has(values: readonly string[], wanted: string): boolean {
  return values.includes(wanted) || values.includes('*');
}
