import type { IngressClass, IngressClassParametersReference } from '../../../gen/stored/networking-v1.ts';
import { checkDomainPrefixedPath } from '../../rules/fields/domain-path.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, forbidden, notSupported, required, tooLong } from '../../../status/field-error.ts';
import { checkRequiredString, checkString } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';

/** Maximum length of the name of a controller, in characters. */
const controllerLimit = 250;

/** The strategy of ingress classes (spec 2.3, `ingressClassName`). */
const strategy: Strategy<IngressClass> = {
  generation: true,
  default: defaultIngressClass,
  validate: (ingressClass, _context, old) => validateIngressClass(ingressClass, old),
};

function defaultIngressClass({ spec: { parameters } }: IngressClass): void {
  if (parameters) parameters.scope ??= 'Cluster';
}

function validateIngressClass({ spec }: IngressClass, old?: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec;
  return [
    ...(old ? checkImmutable('spec.controller', spec.controller, old.spec.controller) : []),
    ...(controller.length > controllerLimit ? [tooLong('spec.controller', controllerLimit)] : []),
    ...checkDomainPrefixedPath('spec.controller', controller),
    ...(parameters ? parameterErrors(parameters, 'spec.parameters') : []),
  ];
}

function parameterErrors(parameters: IngressClassParametersReference, path: string): FieldError[] {
  const { apiGroup, kind, name } = parameters;
  return [
    ...(typeof apiGroup === 'string' ? checkString(`${path}.apiGroup`, apiGroup, validateDnsSubdomain) : []),
    ...checkRequiredString(`${path}.kind`, kind, validatePathSegment, 'kind is required'),
    ...checkRequiredString(`${path}.name`, name, validatePathSegment, 'name is required'),
    ...scopeErrors(parameters, path),
  ];
}

function scopeErrors({ scope, namespace }: IngressClassParametersReference, path: string): FieldError[] {
  switch (scope) {
    // Parameters before release 1.21 have no scope.
    case undefined:
      return [];
    case 'Cluster':
      return namespace === undefined ? [] : [forbidden(`${path}.namespace`, clusterScopeMessage)];
    case 'Namespace':
      return namespace ? [] : [required(`${path}.namespace`, namespaceScopeMessage)];
    default:
      return [notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace'])];
  }
}

const clusterScopeMessage = '`parameters.scope` is set to "Cluster"';
const namespaceScopeMessage = '`parameters.scope` is set to "Namespace"';

/** The columns of ingress classes. */
const columns: readonly Column<IngressClass>[] = [
  nameColumn,
  textColumn('Controller', 'Controller that serves the class.', ({ spec }) => spec.controller ?? ''),
  textColumn('Parameters', 'Object with further configuration for the controller.', parametersCell),
  ageColumn,
];

/** `Kind.group/name`, or `Kind/name` without a group. */
function parametersCell({ spec: { parameters: reference } }: IngressClass): string {
  if (!reference) return orNone('');
  const group = typeof reference.apiGroup === 'string' ? `.${reference.apiGroup}` : '';
  return `${reference.kind}${group}/${reference.name}`;
}

/** The resource `ingressclasses` of the group `networking`. */
export const ingressClasses = builtIn<IngressClass>({
  group: 'networking',
  resource: 'ingressclasses',
  kind: 'IngressClass',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: { introduced: '1.18', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
