import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../../gen/stored/core-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkAmount, checkResourceName } from '../../rules/fields/resource-amounts.ts';

/** The strategy of resource quotas. The scopes are immutable. */
export const strategy: Strategy<ResourceQuota> = {
  returnsDeletedObject: true,
  validate: ({ spec }, { emulated }) => [
    ...amountErrors('spec.hard', spec.hard),
    ...scopeErrors(spec, scopesIn(emulated)),
    ...selectorErrors(spec, scopesIn(emulated)),
  ],
  validateUpdate: ({ spec: { scopes = [] } }, old) =>
    sameSet(scopes, old.spec.scopes ?? []) ? [] : [invalid('spec.scopes', scopes, 'field is immutable')],
  generation: false,
  subresources: {
    status: {
      validateUpdate: ({ status }) => [
        ...amountErrors('status.hard', status.hard),
        ...amountErrors('status.used', status.used),
      ],
    },
  },
};

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every((item) => right.has(item));
}

/** Checks a map of amounts: names and values. */
function amountErrors(path: string, amounts: Readonly<Record<string, string>> = {}): readonly FieldError[] {
  return errorsOfEach(Object.entries(amounts), ([resource, amount]) => {
    const field = `${path}[${resource}]`;
    return [
      ...checkResourceName(field, resource),
      ...(resource.includes('/') || isStandard(resource)
        ? []
        : [invalid(field, resource, 'must be a standard resource for quota')]),
      ...checkAmount(field, resource, amount),
    ];
  });
}

/** Compute resources. Quotas count their requests, also under the plain name, and their limits. */
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

/** Scopes that exclude each other. */
const oppositeScopes = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/**
 * The resources that a quota can count with the scope BestEffort, and with the other scopes of
 * pods.
 */
const bestEffortResources = ['pods'];
const classScope = 'VolumeAttributesClass';
const claimResources = ['persistentvolumeclaims', 'requests.storage'];
const podResources = ['pods', ...['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`])];

function scopeErrors(spec: ResourceQuotaSpec, known: ReadonlySet<string>): FieldError[] {
  const field = 'spec.scopes';
  const { scopes = [] } = spec;
  return [
    ...errorsOfEach(scopes, (scope) => [
      ...(known.has(scope) ? [] : [invalid(field, scopes, 'unsupported scope')]),
      ...unfitting(spec, scope).map(() => invalid(field, scopes, 'unsupported scope applied to resource')),
    ]),
    ...clashes(scopes).map(() => invalid(field, scopes, 'conflicting scopes')),
  ];
}

const standardScopes: ReadonlySet<string> = new Set([
  ...oppositeScopes.flat(),
  'PriorityClass',
  'CrossNamespacePodAffinity',
]);

/** The scopes of a release. Claims have one since VolumeAttributesClasses. */
function scopesIn({ release, isFeatureEnabled }: EmulatedRelease): ReadonlySet<string> {
  const hasClasses = isSince(release, '1.31') && isFeatureEnabled(classScope);
  return hasClasses ? new Set([...standardScopes, classScope]) : standardScopes;
}

/**
 * The counted standard resources that pods of a scope do not have. Resources with a domain are not
 * checked.
 */
function unfitting({ hard = {} }: ResourceQuotaSpec, scope: string): readonly string[] {
  const allowed = scope === classScope ? claimResources : scope === 'BestEffort' ? bestEffortResources : podResources;
  return Object.keys(hard).filter((name) => isStandard(name) && !allowed.includes(name));
}

function clashes(scopes: readonly string[]) {
  return oppositeScopes.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}

/** Checks the scope selector. Errors are reported at the list of expressions. */
function selectorErrors(spec: ResourceQuotaSpec, known: ReadonlySet<string>): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const { scopeSelector = {}, scopes = [] } = spec;
  const expressions = scopeSelector.matchExpressions ?? [];
  return [
    ...errorsOfEach(expressions, (expression) => [
      ...unfitting(spec, expression.scopeName).map(() =>
        invalid(field, scopeSelector, 'unsupported scope applied to resource'),
      ),
      ...expressionErrors(expression, field, known),
    ]),
    ...clashes(expressions.map(({ scopeName }) => scopeName)).map(() => invalid(field, scopes, 'conflicting scopes')),
  ];
}

const existOnly =
  "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

function expressionErrors(
  { scopeName: scope, operator, values = [] }: ScopedResourceSelectorRequirement,
  field: string,
  known: ReadonlySet<string>,
): FieldError[] {
  const fixed = standardScopes.has(scope) && scope !== 'PriorityClass';
  return [
    ...(known.has(scope) ? [] : [invalid(`${field}.scopeName`, scope, 'unsupported scope')]),
    ...(fixed && operator !== 'Exists' ? [invalid(`${field}.operator`, operator, existOnly)] : []),
    ...operatorErrors(operator, values, field),
  ];
}

function operatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${field}.values`, detail)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length > 0 ? [invalid(`${field}.values`, [...values], detail)] : [];
    }
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
