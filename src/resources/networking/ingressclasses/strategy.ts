import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, notSupported, required, tooLong } from '../../../status/field-error.ts';
import { isSet, objectAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkDomainPrefixedPath } from '../../rules/fields/domain-prefixed-path.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';

/** Maximum length of the name of a controller, in characters. */
const controllerLimit = 250;

/** The strategy of ingress classes (spec 2.3, `ingressClassName`). */
export const strategy: Strategy = {
  generation: true,
  default: defaultIngressClass,
  validate: (ingressClass, _context, old) => validateIngressClass(ingressClass, old),
};

function defaultIngressClass(ingressClass: JsonObject): void {
  const spec = objectAt(ingressClass, 'spec');
  if (isSet(spec, 'parameters')) setDefault(objectAt(spec, 'parameters'), 'scope', 'Cluster');
}

function validateIngressClass(ingressClass: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(ingressClass, 'spec');
  const controller = stringAt(spec, 'controller');
  return [
    ...(old ? controllerChangeErrors(spec, objectAt(old, 'spec')) : []),
    ...(controller.length > controllerLimit ? [tooLong('spec.controller', controllerLimit)] : []),
    ...checkDomainPrefixedPath('spec.controller', controller),
    ...(isSet(spec, 'parameters') ? parameterErrors(objectAt(spec, 'parameters'), 'spec.parameters') : []),
  ];
}

function controllerChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  return checkImmutable('spec.controller', getOwn(spec, 'controller'), getOwn(oldSpec, 'controller'));
}

function parameterErrors(parameters: JsonObject, path: string): FieldError[] {
  return [
    ...(isSet(parameters, 'apiGroup')
      ? checkString(`${path}.apiGroup`, stringAt(parameters, 'apiGroup'), validateDnsSubdomain)
      : []),
    ...checkRequiredString(`${path}.kind`, stringAt(parameters, 'kind'), validatePathSegment, 'kind is required'),
    ...checkRequiredString(`${path}.name`, stringAt(parameters, 'name'), validatePathSegment, 'name is required'),
    ...scopeErrors(parameters, path),
  ];
}

function scopeErrors(parameters: JsonObject, path: string): FieldError[] {
  const namespace = stringAt(parameters, 'namespace');
  switch (stringAt(parameters, 'scope')) {
    case 'Cluster':
      return isSet(parameters, 'namespace') ? [forbidden(`${path}.namespace`, clusterScopeMessage)] : [];
    case 'Namespace':
      return namespace === '' ? [required(`${path}.namespace`, namespaceScopeMessage)] : [];
    default:
      return [notSupported(`${path}.scope`, stringAt(parameters, 'scope'), ['Cluster', 'Namespace'])];
  }
}

const clusterScopeMessage = '`parameters.scope` is set to "Cluster"';
const namespaceScopeMessage = '`parameters.scope` is set to "Namespace"';
