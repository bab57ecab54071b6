import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { countOf } from '../../../kinds/core/amounts.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

/** Finds the evaluator of a resource; undefined if quotas do not concern it. */
type FindEvaluator = (group: string, resource: string) => QuotaEvaluator | undefined;

/** Resources of the core group whose number has a second, older name in quotas: their own. */
const countedByName: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

/** The evaluators of all resources. Objects of most kinds are counted. */
export function evaluators(identifiers: Identifiers): FindEvaluator {
  const ignored = ignoredResources(identifiers);
  const core: Readonly<Record<string, QuotaEvaluator>> = {
    // An evaluator is given the objects of its resource.
    pods: podEvaluator(identifiers.labelDomain) as QuotaEvaluator,
    services: serviceEvaluator as QuotaEvaluator,
    persistentvolumeclaims: claimEvaluator(identifiers) as QuotaEvaluator,
  };
  return (group, resource) => {
    if (ignored.has(group === '' ? resource : `${resource}.${group}`)) return undefined;
    const own = group === '' && Object.hasOwn(core, resource) ? core[resource] : undefined;
    return own ?? countEvaluator(group, resource);
  };
}

/** Resources that are not stored, and events, which quotas have never limited. */
function ignoredResources({ apiDomain }: Identifiers): ReadonlySet<string> {
  const ofGroup = (group: string, ...resources: readonly string[]) =>
    resources.map((resource) => `${resource}.${group}.${apiDomain}`);
  return new Set([
    'bindings',
    'componentstatuses',
    'events',
    ...ofGroup('events', 'events'),
    ...ofGroup('authentication', 'tokenreviews', 'selfsubjectreviews'),
    ...ofGroup('authorization', 'subjectaccessreviews', 'selfsubjectaccessreviews'),
    ...ofGroup('authorization', 'localsubjectaccessreviews', 'selfsubjectrulesreviews'),
  ]);
}

/** Counts the objects of a resource: `count/deployments.apps`. */
function countEvaluator(group: string, resource: string): QuotaEvaluator {
  const name = `count/${resource}${group === '' ? '' : `.${group}`}`;
  const names = group === '' && countedByName.has(resource) ? [name, resource] : [name];
  return {
    operations: ['CREATE'],
    uses: (limited) => names.includes(limited),
    usageOf: () => new Map(names.map((one) => [one, countOf(1)])),
  };
}
