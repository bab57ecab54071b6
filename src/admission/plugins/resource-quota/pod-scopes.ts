import type { Pod } from '../../../gen/stored/core-v1.ts';
import { fulfils, type ScopeTerm } from './scope-term.ts';

/** The scopes of Pods. Only PriorityClass has operators other than `Exists`. */
const scopes: Readonly<Record<string, (pod: Pod, term: ScopeTerm) => boolean>> = {
  Terminating: isTerminating,
  NotTerminating: (pod) => !isTerminating(pod),
  BestEffort: isBestEffort,
  NotBestEffort: (pod) => !isBestEffort(pod),
  PriorityClass: (pod, term) => fulfils(pod.spec.priorityClassName ?? '', term),
  CrossNamespacePodAffinity: reachesOtherNamespaces,
};

/** Reports whether a Pod is in a scope. */
export function isPodInScope(pod: Pod, term: ScopeTerm): boolean {
  return scopes[term.scope]?.(pod, term) ?? false;
}

/** Reports whether the time of a Pod is limited. */
function isTerminating({ spec }: Pod): boolean {
  return (spec.activeDeadlineSeconds ?? -1) >= 0;
}

/** The class of a new Pod is set before quotas are checked. */
function isBestEffort({ status }: Pod): boolean {
  return status.qosClass === 'BestEffort';
}

function reachesOtherNamespaces({ spec: { affinity } }: Pod): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((rules) => {
    const terms = [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    return terms.some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector);
  });
}
