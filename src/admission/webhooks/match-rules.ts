import type { AdmissionAttributes, AdmittedVersion, Operation } from '../admission.ts';
import type { ConfiguredWebhook, WebhookRule } from './configured-webhook.ts';

/** The parts of a request that rules decide on, the same for all requests of a resource. */
interface RequestKind {
  readonly operation: Operation;
  readonly subresource: string;
  readonly isNamespaced: boolean;
  /** The versions of the resource, that of the request first. */
  readonly versions: readonly AdmittedVersion[];
}

/** The kind of a request. Namespaces are cluster-scoped, although they are in themselves. */
export function requestKindOf(attributes: AdmissionAttributes): RequestKind {
  const { operation, subresource, namespace } = attributes;
  return { operation, subresource, isNamespaced: namespace !== '', versions: attributes.versions() };
}

/**
 * The version of a resource in which a webhook is called; undefined if no rule matches. The version
 * of the request comes first, then the others in the order of the rules (matchPolicy Equivalent).
 */
export function matchRules(
  { rules, matchesEquivalents }: ConfiguredWebhook,
  request: RequestKind,
): AdmittedVersion | undefined {
  const [requested, ...others] = request.versions;
  if (!requested) return undefined;
  if (rules.some((rule) => matches(rule, request, requested))) return requested;
  if (!matchesEquivalents) return undefined;
  for (const rule of rules) {
    const found = others.find((version) => matches(rule, request, version));
    if (found) return found;
  }
  return undefined;
}

function matches(rule: WebhookRule, { operation, subresource, isNamespaced }: RequestKind, version: AdmittedVersion) {
  const { resource } = version;
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
