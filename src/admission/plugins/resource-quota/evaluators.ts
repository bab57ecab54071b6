import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { countOf, amountsIn } from '../../../kinds/core/amounts.ts';
import { deviceEvaluator } from './device-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { fulfils, type ScopeTerm } from './scope-term.ts';
import type { Service, ServiceSpec, PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { roundUpToUnits, type Quantity } from '../../../meta/quantity.ts';
import { requestedStorageClass } from '../../../kinds/core/persistent-volume-claim.ts';

const objectCount = 'count/persistentvolumeclaims';
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';

/** Claims: their number and the storage that they request, in total and of each class. */
function claimEvaluator(identifiers: Identifiers): QuotaEvaluator<PersistentVolumeClaim> {
  const infix = `.storageclass.storage.${identifiers.apiDomain}/`;
  return {
    operations: ['CREATE', 'UPDATE'],
    uses: (resource) =>
      resource === objectCount ||
      [claims, storage].some((name) => resource === name || resource.endsWith(infix + name)),
    usageOf: (claim) => {
      const usage = new Map<string, Quantity>([[objectCount, countOf(1)]]);
      const storageClass = requestedStorageClass(claim, identifiers) ?? '';
      const use = (name: string, amount: Quantity): void => {
        usage.set(name, amount);
        if (storageClass !== '') usage.set(storageClass + infix + name, amount);
      };
      use(claims, countOf(1));
      const requested = amountsIn(claim.spec.resources.requests).get('storage');
      if (requested) use(storage, roundUpToUnits(requested));
      return usage;
    },
    isInScope: ({ spec, status }, term) =>
      term.scope === 'VolumeAttributesClass' &&
      fulfilsAny(
        [
          spec.volumeAttributesClassName,
          status.currentVolumeAttributesClassName,
          status.modifyVolumeStatus?.targetVolumeAttributesClassName,
        ],
        term,
      ),
  };
}

/** Reports whether a value meets a term. For terms that exclude values all values must meet it. */
function fulfilsAny(values: readonly (string | undefined)[], term: ScopeTerm): boolean {
  const names = values.map((value) => value ?? '');
  const excludes = term.operator === 'NotIn' || term.operator === 'DoesNotExist';
  return excludes ? names.every((name) => fulfils(name, term)) : names.some((name) => fulfils(name, term));
}

const serviceResources: ReadonlySet<string> = new Set([
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'count/services',
]);

/** Services: their number, their node ports and their load balancers. Updates change the type. */
const serviceEvaluator: QuotaEvaluator<Service> = {
  operations: ['CREATE', 'UPDATE'],
  uses: (resource) => serviceResources.has(resource),
  usageOf: ({ spec }) =>
    new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(spec))],
      ['services.loadbalancers', countOf(spec.type === 'LoadBalancer' ? 1 : 0)],
    ]),
};

/** How many node ports a Service has; they may not be allocated yet. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  return allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}

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
  const devices = deviceEvaluator(identifiers) as QuotaEvaluator;
  return (group, resource) => {
    if (ignored.has(group === '' ? resource : `${resource}.${group}`)) return undefined;
    const own = group === '' && Object.hasOwn(core, resource) ? core[resource] : undefined;
    if (group === `resource.${identifiers.apiDomain}` && resource === 'resourceclaims') return devices;
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
