import type { Container, Pod, PodSpec } from '../../../gen/stored/core-v1.ts';
import { hasEnded as isOver } from '../../../kinds/core/pod.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { type Amounts, countOf } from '../../../kinds/core/amounts.ts';
import { podAmounts } from '../../../kinds/core/pod-amounts.ts';
import { hasCustomDomain, isExtendedResource } from '../../extended-resource.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
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
function isPodInScope(pod: Pod, term: ScopeTerm): boolean {
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

const objectCount = 'count/pods';

const one = countOf(1);

/** Resources of which quotas limit requests, also under the plain name, and limits. */
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

/** The quota names of compute resources, computed once and not for each Pod. */
const computeNames: ReadonlyMap<string, Readonly<Record<keyof ComputeUse, string>>> = new Map(
  computeResources.map((name) => [name, { requests: `requests.${name}`, limits: `limits.${name}` }]),
);

const podResources: ReadonlySet<string> = new Set([
  objectCount,
  'pods',
  ...computeResources.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/**
 * If a quota limits these, every container must state its use. A mistake, says kube-apiserver, that
 * is not repeated for other resources.
 */
const statedResources: ReadonlyMap<string, StatedResource> = new Map(
  ['cpu', 'memory'].flatMap((name): (readonly [string, StatedResource])[] => [
    [name, { list: 'requests', name }],
    [`requests.${name}`, { list: 'requests', name }],
    [`limits.${name}`, { list: 'limits', name }],
  ]),
);

/** The field of a container that states its use of a resource. */
interface StatedResource {
  readonly list: keyof ComputeUse;
  readonly name: string;
}

/** The evaluator of Pods: the requests and limits of their containers. */
export function podEvaluator(labelDomain: string): QuotaEvaluator<Pod> {
  return {
    operations: ['CREATE'],
    resizedBy: 'resize',
    uses: (resource) =>
      podResources.has(resource) ||
      /^(?:requests\.)?hugepages-/.test(resource) ||
      (resource.startsWith('requests.') && hasCustomDomain(resource, labelDomain)),
    usageOf: (pod) => {
      const amounts = new Map<string, Quantity>([[objectCount, one]]);
      if (!hasEnded(pod)) setAmounts(amounts, useOfPod(pod.spec), labelDomain);
      return amounts;
    },
    isInScope: isPodInScope,
    missing: ({ spec: { containers, initContainers } }, limited) => {
      const all = [...(containers ?? []), ...(initContainers ?? [])];
      const isMissing = (resource: string): boolean => {
        const stated = statedResources.get(resource);
        return stated !== undefined && isUnstated(all, stated);
      };
      return limited.some(isMissing) ? limited.filter(isMissing).toSorted() : none;
    },
  };
}

const none: readonly never[] = Object.freeze([]);

/** Reports whether a container does not state its use of a resource. */
function isUnstated(containers: readonly Container[], { list, name }: StatedResource): boolean {
  return containers.some(({ resources }) => getOwn(resources[list] ?? {}, name) === undefined);
}

/** Requests and limits by the names of node resources. */
interface ComputeUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The requests and limits of a pod; ephemeral containers have none. */
function useOfPod(spec: PodSpec): ComputeUse {
  return { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') };
}

/** Adds a Pod and its amounts, under the names that quotas have for them. Mutates. */
function setAmounts(amounts: Map<string, Quantity>, { requests, limits }: ComputeUse, labelDomain: string): void {
  amounts.set('pods', one);
  for (const [name, request] of requests) {
    const known = computeNames.get(name);
    const isPlain = known !== undefined || name.startsWith('hugepages-');
    if (isPlain) amounts.set(name, request);
    if (isPlain || isExtendedResource(name, labelDomain)) amounts.set(known?.requests ?? `requests.${name}`, request);
  }
  for (const [name, limit] of limits) {
    const known = computeNames.get(name);
    if (known) amounts.set(known.limits, limit);
  }
}

/**
 * Reports whether a Pod has ended, or should have by now: one that is stuck on a lost node must not
 * keep its successor from being created.
 */
function hasEnded(pod: Pod): boolean {
  if (isOver(pod)) return true;
  const { deletionTimestamp: deletion, deletionGracePeriodSeconds: grace } = pod.metadata;
  return deletion !== undefined && grace !== undefined && Date.parse(deletion) + Number(grace) * 1000 < Date.now();
}
