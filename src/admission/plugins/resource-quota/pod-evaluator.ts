import type { JsonObject } from '../../../meta/json-value.ts';
import { deletionTimestampOf, getMeta } from '../../../meta/object-meta.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { addAmounts, type Amounts, amountsAt, countOf, largerAmounts, noAmounts } from '../../amounts.ts';
import { hasForeignDomain, isExtendedResource } from '../../extended-resource.ts';
import { isPodInScope } from './pod-scopes.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const objectCount = 'count/pods';

/** Resources of which quotas limit requests, also under the plain name, and limits. */
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

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

/** Phases in which a Pod uses nothing any more. */
const endPhases: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);

/** Pods: what their containers request, and the limits of these. */
export function podEvaluator(labelDomain: string): QuotaEvaluator {
  return {
    operations: ['CREATE'],
    uses: (resource) =>
      podResources.has(resource) ||
      /^(?:requests\.)?hugepages-/.test(resource) ||
      (resource.startsWith('requests.') && hasForeignDomain(resource, labelDomain)),
    usageOf: (pod) => {
      const amounts = new Map<string, Quantity>([[objectCount, countOf(1)]]);
      if (!hasEnded(pod)) setAmounts(amounts, useOfPod(objectAt(pod, 'spec')), labelDomain);
      return amounts;
    },
    isInScope: isPodInScope,
    missing: (pod, limited) => {
      const spec = objectAt(pod, 'spec');
      const lists = [objectsAt(spec, 'containers'), objectsAt(spec, 'initContainers')];
      const isMissing = (resource: string): boolean => {
        const stated = statedResources.get(resource);
        return stated !== undefined && lists.some((list) => list.some((container) => !states(container, stated)));
      };
      return limited.filter(isMissing).toSorted();
    },
  };
}

/** Requests and limits by the names of node resources. */
interface ComputeUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function useOf(container: JsonObject): ComputeUse {
  const resources = objectAt(container, 'resources');
  return { requests: amountsAt(resources, 'requests'), limits: amountsAt(resources, 'limits') };
}

/**
 * The sum of the containers, or that of an init container if it uses more, and the overhead.
 * Ephemeral containers have no resources.
 */
function useOfPod(spec: JsonObject): ComputeUse {
  const containers = objectsAt(spec, 'containers').map(useOf);
  const first = objectsAt(spec, 'initContainers').map(useOf);
  const overhead = amountsAt(spec, 'overhead');
  const total = (of: keyof ComputeUse): Amounts => {
    const sum = containers.reduce((all, use) => addAmounts(all, use[of]), noAmounts);
    return addAmounts(
      first.reduce((most, use) => largerAmounts(most, use[of]), sum),
      overhead,
    );
  };
  return { requests: total('requests'), limits: total('limits') };
}

function states(container: JsonObject, { list, name }: StatedResource): boolean {
  return isSet(objectAt(container, 'resources', list), name);
}

/** Adds a Pod and its amounts, under the names that quotas have for them. Mutates. */
function setAmounts(amounts: Map<string, Quantity>, { requests, limits }: ComputeUse, labelDomain: string): void {
  amounts.set('pods', countOf(1));
  for (const [name, request] of requests) {
    const isPlain = computeResources.includes(name) || name.startsWith('hugepages-');
    if (isPlain) amounts.set(name, request);
    if (isPlain || isExtendedResource(name, labelDomain)) amounts.set(`requests.${name}`, request);
  }
  for (const name of computeResources) {
    const limit = limits.get(name);
    if (limit) amounts.set(`limits.${name}`, limit);
  }
}

/**
 * Reports whether a Pod has ended, or should have by now: one that is stuck on a lost node must not
 * keep its successor from being created.
 */
function hasEnded(pod: JsonObject): boolean {
  if (endPhases.has(stringAt(objectAt(pod, 'status'), 'phase'))) return true;
  const deletion = deletionTimestampOf(pod);
  const grace = getMeta(pod, 'deletionGracePeriodSeconds');
  return deletion !== '' && grace !== undefined && Date.parse(deletion) + Number(grace) * 1000 < Date.now();
}
