import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { fulfils, type ScopeTerm } from './scope-term.ts';

/** The scopes of Pods. Only PriorityClass has operators other than `Exists`. */
const scopes: Readonly<Record<string, (pod: JsonObject, term: ScopeTerm) => boolean>> = {
  Terminating: isTerminating,
  NotTerminating: (pod) => !isTerminating(pod),
  BestEffort: isBestEffort,
  NotBestEffort: (pod) => !isBestEffort(pod),
  PriorityClass: (pod, term) => fulfils(stringAt(objectAt(pod, 'spec'), 'priorityClassName'), term),
  CrossNamespacePodAffinity: reachesOtherNamespaces,
};

/** Reports whether a Pod is in a scope. */
export function isPodInScope(pod: JsonObject, term: ScopeTerm): boolean {
  return scopes[term.scope]?.(pod, term) ?? false;
}

/** Reports whether the time of a Pod is limited. */
function isTerminating(pod: JsonObject): boolean {
  return (numberAt(objectAt(pod, 'spec'), 'activeDeadlineSeconds') ?? -1) >= 0;
}

/** The class of a new Pod is set before quotas are checked. */
function isBestEffort(pod: JsonObject): boolean {
  return stringAt(objectAt(pod, 'status'), 'qosClass') === 'BestEffort';
}

function reachesOtherNamespaces(pod: JsonObject): boolean {
  const affinity = objectAt(pod, 'spec', 'affinity');
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const rules = objectAt(affinity, kind);
    const preferred = objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution');
    const terms = [
      ...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((one) => objectAt(one, 'podAffinityTerm')),
    ];
    return terms.some((term) => stringsAt(term, 'namespaces').length > 0 || isSet(term, 'namespaceSelector'));
  });
}
