import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import type { PodSecurityPolicy } from '../../../gen/stored/policy-v1beta1.ts';
import { copyJsonObject } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { setAnnotations } from '../../../meta/object-meta.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { serviceAccountGroups, type UserInfo } from '../../../meta/user-info.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
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
  readonly pod: Pod;
}

/** The result of a policy for a Pod. */
interface PolicyResult {
  readonly name: string;
  readonly pod: Pod;
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
  const read = (policy: PodSecurityPolicy): UsablePolicy => readPolicy(policy, labelDomain);
  const policies = listerOf({ group: 'policy', resource: 'podsecuritypolicies', read, warm: true });

  async function policiesInOrder(attributes: AdmissionAttributes, first: string): Promise<readonly UsablePolicy[]> {
    const found = (await policies.list({}, attributes.signal)).filter(({ isUsable }) => isUsable);
    if (found.length === 0) {
      throw forbidden(attributes, 'PodSecurityPolicy: no providers available to validate pod request');
    }
    const rank = (name: string): string => (name === first ? '' : name);
    return found.toSorted((a, b) => (rank(a.name) < rank(b.name) ? -1 : 1));
  }

  function tryPolicy(policy: UsablePolicy, pod: Pod): PolicyResult {
    const copy = copyJsonObject(pod) as Pod;
    defaultSecurity(copy, policy, annotations);
    const errors = checkSecurity(copy, policy, annotations, identifiers);
    return { name: policy.name, pod: copy, isChanged: !sameValue(pod, copy), errors };
  }

  /** Throws 403 if no policy allows the Pod; `step` is the verb of the message. */
  async function allow(attributes: AdmissionAttributes, pod: Pod, step: PolicyStep): Promise<AllowedPod> {
    const hint = step === 'validate' ? (pod.metadata.annotations?.[annotation] ?? '') : '';
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
      const { metadata, spec } = allowed.pod;
      Object.assign(pod, { metadata, spec });
      setAnnotations(pod, { ...metadata.annotations, [annotation]: allowed.policy });
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

/** The Pod of a write that can change its spec; undefined for other writes. */
function podIn(attributes: AdmissionAttributes): Pod | undefined {
  const changesSpec =
    isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE') ||
    isWriteTo(attributes, '', 'pods/ephemeralcontainers', 'CREATE', 'UPDATE');
  if (!changesSpec) return undefined;
  const { object, oldObject } = attributes;
  return oldObject && isCollectorUpdate(object, oldObject) ? undefined : object;
}

async function usableResults(
  decide: DecideRight,
  attributes: AdmissionAttributes,
  pod: Pod,
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
  pod: Pod,
  name: string,
): Promise<boolean> {
  const account = pod.spec.serviceAccountName;
  const users = account ? [accountUser(namespace, account), user] : [user];
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
