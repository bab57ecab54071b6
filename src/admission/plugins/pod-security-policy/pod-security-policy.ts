import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { copyJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { annotationsOf, setAnnotations } from '../../../meta/object-meta.ts';
import { objectAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { serviceAccountGroups } from '../../../meta/service-account-name.ts';
import type { UserInfo } from '../../../meta/user-info.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isCollectorUpdate } from '../../is-collector-update.ts';
import type { DecideRight } from '../../resource-right.ts';
import { checkSecurity } from './check-security.ts';
import { defaultSecurity } from './default-security.ts';
import { profileAnnotations } from './pod-profiles.ts';
import { readPolicy, type UsablePolicy } from './usable-policy.ts';

/** The dependencies of the plugin. */
interface PodSecurityPolicyDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  readonly decide: DecideRight;
}

/** The policy that allows a Pod, and the Pod with the defaults of the policy. */
interface AllowedPod {
  readonly policy: string;
  readonly pod: JsonObject;
}

/** The result of a policy for a Pod. */
interface PolicyResult {
  readonly name: string;
  readonly pod: JsonObject;
  readonly isChanged: boolean;
  readonly errors: readonly FieldError[];
}

/**
 * Admits a Pod that a PodSecurityPolicy allows which its creator or its service account may `use`
 * (spec 4.10). Policies are tried in the order of their names. One that allows the Pod as it is
 * precedes those that set missing fields of it; an update is not changed.
 */
export function podSecurityPolicy(dependencies: PodSecurityPolicyDependencies): AdmissionPlugin {
  const { identifiers, listerOf } = dependencies;
  const { apiDomain, labelDomain } = identifiers;
  const annotations = profileAnnotations(labelDomain);
  const annotation = `${labelDomain}/psp`;
  const auditPrefix = `podsecuritypolicy.policy.${apiDomain}`;
  const read = (policy: JsonObject): UsablePolicy => readPolicy(policy, labelDomain);
  const policies = listerOf({ group: 'policy', resource: 'podsecuritypolicies', read, warm: true });

  async function policiesInOrder(attributes: AdmissionAttributes, first: string): Promise<readonly UsablePolicy[]> {
    const found = (await policies.list({}, attributes.signal)).filter(({ isUsable }) => isUsable);
    if (found.length === 0) {
      throw forbidden(attributes, 'PodSecurityPolicy: no providers available to validate pod request');
    }
    const rank = (name: string): string => (name === first ? '' : name);
    return found.toSorted((a, b) => (rank(a.name) < rank(b.name) ? -1 : 1));
  }

  function tryPolicy(policy: UsablePolicy, pod: JsonObject): PolicyResult {
    const copy = copyJsonObject(pod);
    defaultSecurity(copy, policy, annotations);
    const errors = checkSecurity(copy, policy, annotations, identifiers);
    return { name: policy.name, pod: copy, isChanged: !sameValue(pod, copy), errors };
  }

  /** Throws 403 if no policy allows the Pod; `step` is the verb of the message. */
  async function allow(attributes: AdmissionAttributes, pod: JsonObject, step: PolicyStep): Promise<AllowedPod> {
    const hint = step === 'validate' ? (annotationsOf(pod)[annotation] ?? '') : '';
    const results: PolicyResult[] = [];
    let changed: AllowedPod | undefined;
    for (const policy of await policiesInOrder(attributes, hint)) {
      const result = tryPolicy(policy, pod);
      results.push(result);
      const isCandidate = !result.isChanged || (step === 'admit' && !changed);
      if (result.errors.length > 0 || !isCandidate) continue;
      if (!(await mayUse(dependencies.decide, attributes, pod, policy.name))) continue;
      const allowed = { policy: policy.name, pod: result.pod };
      if (!result.isChanged) return allowed;
      changed = allowed;
    }
    if (changed) return changed;
    const usable = await usableResults(dependencies.decide, attributes, pod, results);
    const texts = usable.flatMap(({ errors }) => errors.map(({ field, message }) => `${field}: ${message}`));
    throw forbidden(attributes, `PodSecurityPolicy: unable to ${step} pod: [${texts.join(' ')}]`);
  }

  return {
    name: 'PodSecurityPolicy',
    operations: ['CREATE', 'UPDATE'],
    async mutate(attributes) {
      const pod = podIn(attributes);
      if (!pod || attributes.operation !== 'CREATE') return;
      const allowed = await allow(attributes, pod, 'admit');
      for (const field of ['metadata', 'spec']) pod[field] = allowed.pod[field] ?? {};
      setAnnotations(pod, { ...annotationsOf(pod), [annotation]: allowed.policy });
      attributes.annotate(`${auditPrefix}/admit-policy`, allowed.policy);
    },
    async validate(attributes) {
      const pod = podIn(attributes);
      if (!pod) return;
      const { policy } = await allow(attributes, pod, 'validate');
      attributes.annotate(`${auditPrefix}/validate-policy`, policy);
    },
  };
}

/** The phases, as their messages name them. */
type PolicyStep = 'admit' | 'validate';

/** Sub-resources through which the spec of a Pod can change; '' is the Pod itself. */
const specSubresources: ReadonlySet<string> = new Set(['', 'ephemeralcontainers']);

/** The Pod of a write that can change its spec; undefined for other writes. */
function podIn({ object, oldObject, resource, subresource }: AdmissionAttributes): JsonObject | undefined {
  if (resource.group !== '' || resource.resource !== 'pods' || !specSubresources.has(subresource)) return undefined;
  return object && oldObject && isCollectorUpdate(object, oldObject) ? undefined : object;
}

async function usableResults(
  decide: DecideRight,
  attributes: AdmissionAttributes,
  pod: JsonObject,
  results: readonly PolicyResult[],
): Promise<readonly PolicyResult[]> {
  const failed = results.filter(({ errors }) => errors.length > 0);
  const usable = await Promise.all(failed.map(({ name }) => mayUse(decide, attributes, pod, name)));
  return failed.filter((_, index) => usable[index]).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reports whether the service account of a Pod or the caller may use a policy. */
async function mayUse(
  decide: DecideRight,
  { user, namespace }: AdmissionAttributes,
  pod: JsonObject,
  name: string,
): Promise<boolean> {
  const account = stringAt(objectAt(pod, 'spec'), 'serviceAccountName');
  const users = account === '' ? [user] : [accountUser(namespace, account), user];
  for (const each of users) {
    for (const apiGroup of ['policy', 'extensions']) {
      const resource = { apiGroup, apiVersion: '*', resource: 'podsecuritypolicies', subresource: '' };
      const decision = await decide({ ...resource, user: each, verb: 'use', namespace, name });
      if (decision.isAllowed) return true;
    }
  }
  return false;
}

function accountUser(namespace: string, name: string): UserInfo {
  const username = `system:serviceaccount:${namespace}:${name}`;
  return { username, uid: '', groups: serviceAccountGroups(namespace), extra: {} };
}
