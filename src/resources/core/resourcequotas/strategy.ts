import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, invalid, invalidShown } from '../../../status/field-error.ts';
import { goStrings } from '../../../status/go-syntax.ts';
import { objectAt, stringEntriesAt, stringsAt } from '../../../meta/read-field.ts';
import { checkString } from '../../rules/check.ts';
import { checkAmount } from '../../rules/resource-amounts.ts';
import { checkImmutable } from '../../rules/immutable.ts';

/** Resource quotas. What a quota counts is fixed by its scopes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'resourcequotas',
  strategy: {
    returnsDeletedObject: true,
    validate: validateResourceQuota,
    validateUpdate: (quota, old) =>
      checkImmutable('spec.scopes', getOwn(objectAt(quota, 'spec'), 'scopes'), getOwn(objectAt(old, 'spec'), 'scopes')),
    generation: false,
  },
};

function validateResourceQuota(quota: JsonObject): FieldError[] {
  const spec = objectAt(quota, 'spec');
  return [
    ...stringEntriesAt(spec, 'hard').flatMap(([name, amount]) => {
      const field = `spec.hard[${name}]`;
      return [
        ...checkString(field, name, validateQualifiedName),
        ...(name.includes('/') || isStandard(name)
          ? []
          : [invalid(field, name, 'must be a standard resource for quotas')]),
        ...checkAmount(field, name, amount),
      ];
    }),
    ...scopeErrors(spec),
  ];
}

/** The resources of nodes that quotas count, as what is requested, what is the limit, or plainly. */
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

const countedResources: ReadonlySet<string> = new Set([
  ...computeResources,
  ...computeResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]);

function isStandard(name: string): boolean {
  return countedResources.has(name) || /^(?:requests\.)?hugepages-/.test(name);
}

/** Scopes that no pod can have at once. */
const oppositeScopes = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** What can be counted of the pods that ask for nothing, and of other choices of pods. */
const bestEffortResources = ['pods'];
const podResources = ['pods', ...['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`])];

function scopeErrors(spec: JsonObject): FieldError[] {
  const scopes = stringsAt(spec, 'scopes');
  // What others count is theirs to say.
  const names = Object.keys(objectAt(spec, 'hard')).filter(isStandard);
  const unsupported = scopes.filter((scope) => {
    const allowed = scope === 'BestEffort' ? bestEffortResources : podResources;
    return names.some((name) => !allowed.includes(name));
  });
  const shown = goStrings(scopes, 'core.ResourceQuotaScope');
  const clash = oppositeScopes.some((pair) => pair.every((scope) => scopes.includes(scope)));
  return [
    ...unsupported.map(() => invalidShown('spec.scopes', shown, 'unsupported scope applied to resource')),
    ...(clash ? [invalidShown('spec.scopes', shown, 'conflicting scopes')] : []),
  ];
}
