import type { Namespace, Pod } from '../../../gen/stored/core-v1.ts';
import { invalidObject } from '../../../status/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { ObjectWrite } from '../../is-write-to.ts';
import { checkedPod } from './checked-pod.ts';
import { isExemptClass, type PodSecurityExemptions } from './exemptions.ts';
import { type ListPods, warningsOfExisting } from './existing-pods.ts';
import type { PodEvaluation } from './check-against-policy.ts';
import { isSameLevel, isStricter, showLevelVersion } from './level-version.ts';
import { modes, type NamespacePolicy, type Policy, policyOf, type PolicyRules } from './namespace-policy.ts';

/** The dependencies of a check of namespaces. */
interface NamespaceCheck {
  readonly rules: PolicyRules;
  readonly evaluation: PodEvaluation;
  readonly listPods: ListPods;
  readonly exemptions: PodSecurityExemptions;
}

/**
 * Refuses a namespace with invalid labels of this plugin, unless they were so before. Warns of
 * existing Pods that violate a level which is now enforced, and of labels without effect.
 */
export function checkNamespace(attributes: ObjectWrite<Namespace>, check: NamespaceCheck): Promise<void> | undefined {
  const { rules, exemptions } = check;
  const { oldObject, object } = attributes;
  const { name = '', labels = {} } = object.metadata;
  const now = policyOf(labels, rules);
  const before = oldObject && policyOf(oldObject.metadata.labels ?? {}, rules);
  if (now.errors.length > 0 && errorsOf(now) !== (before && errorsOf(before))) {
    throw invalidObject({ group: '', resource: attributes.kind.kind }, name, now.errors);
  }
  if (before && !isTightened(now.policy, before.policy)) return undefined;
  if (exemptions.namespaces.has(name)) return warnOfExemption(attributes, name, now, rules.defaults);
  return before && warnOfExisting(attributes, name, now.policy, check);
}

function errorsOf({ errors }: NamespacePolicy): string {
  return errors.map(({ field, message }) => `${field}: ${message}`).join();
}

/** Reports whether Pods that were allowed may violate the level that is enforced now. */
function isTightened({ enforce: now }: Policy, { enforce: before }: Policy): boolean {
  if (isSameLevel(now, before) || now.level === 'privileged') return false;
  return now.version !== before.version || isStricter(now.level, before.level);
}

async function warnOfExisting(
  attributes: AdmissionAttributes,
  name: string,
  { enforce }: Policy,
  { evaluation, listPods, exemptions }: NamespaceCheck,
): Promise<void> {
  const pods = await podsOf(listPods, name, attributes);
  if (!pods) return;
  const reasonsOf = (pod: Pod): string => {
    if (isExemptClass(pod, exemptions)) return '';
    const violations = evaluation.evaluate(checkedPod(pod, evaluation.labelDomain), enforce);
    return violations.map(({ reason }) => reason).join(', ');
  };
  for (const warning of await warningsOfExisting(name, enforce, pods, reasonsOf)) attributes.warn(warning);
}

/** The Pods of a namespace. A list that fails is a warning too: the labels are valid. */
async function podsOf(
  listPods: ListPods,
  name: string,
  attributes: AdmissionAttributes,
): Promise<Awaited<ReturnType<ListPods>> | undefined> {
  try {
    return await listPods(name, attributes.signal);
  } catch {
    attributes.signal.throwIfAborted();
    attributes.warn('failed to list pods while checking new PodSecurity enforce level');
    return undefined;
  }
}

/** Warns that the labels of an exempt namespace have no effect. */
function warnOfExemption(
  attributes: AdmissionAttributes,
  name: string,
  { policy, labelled }: NamespacePolicy,
  defaults: Policy,
): undefined {
  const isPlain = modes.every((mode) => policy[mode].level === 'privileged');
  if (isPlain || modes.every((mode) => isSameLevel(policy[mode], defaults[mode]))) return;
  const shown = labelled
    .filter((mode) => policy[mode].level !== 'privileged')
    .map((mode) => `${mode}=${showLevelVersion(policy[mode])}`);
  const labels = shown.join(', ');
  attributes.warn(
    `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${labels}) will be ignored`,
  );
}
