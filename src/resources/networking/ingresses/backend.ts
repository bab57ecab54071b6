import type { JsonObject } from '../../../meta/json-value.ts';
import {
  validateDns1035Label,
  validateDnsSubdomain,
  validatePathSegment,
  validatePortName,
} from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';

/** The names that a version has for fields. Errors use the names of the version of the request. */
export interface IngressFields {
  readonly defaultBackend: string;
  readonly serviceName: string;
  readonly portName: string;
  readonly portNumber: string;
}

const betaFields: IngressFields = {
  defaultBackend: 'backend',
  serviceName: 'serviceName',
  portName: 'servicePort',
  portNumber: 'servicePort',
};
const stableFields: IngressFields = {
  defaultBackend: 'defaultBackend',
  serviceName: 'service.name',
  portName: 'service.port.name',
  portNumber: 'service.port.number',
};

/** The field names of a version of Ingress. */
export function ingressFieldsOf(version: string): IngressFields {
  return version === 'v1beta1' ? betaFields : stableFields;
}

/**
 * The errors of an IngressBackend: it must have either a service or another resource (spec 2.3).
 */
export function validateBackend(backend: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  const hasResource = isSet(backend, 'resource');
  const hasService = isSet(backend, 'service');
  if (hasResource && hasService) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (hasResource) return resourceErrors(objectAt(backend, 'resource'), `${path}.resource`);
  if (hasService) return serviceErrors(objectAt(backend, 'service'), path, fields);
  return [invalid(path, '', 'resource or service backend is required')];
}

function resourceErrors(reference: JsonObject, path: string): readonly FieldError[] {
  return [
    ...(isSet(reference, 'apiGroup')
      ? checkString(`${path}.apiGroup`, stringAt(reference, 'apiGroup'), validateDnsSubdomain)
      : []),
    ...checkRequiredString(`${path}.kind`, stringAt(reference, 'kind'), validatePathSegment, 'kind is required'),
    ...checkRequiredString(`${path}.name`, stringAt(reference, 'name'), validatePathSegment, 'name is required'),
  ];
}

function serviceErrors(service: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  return [
    ...checkRequiredString(`${path}.${fields.serviceName}`, stringAt(service, 'name'), validateDns1035Label),
    ...portErrors(objectAt(service, 'port'), path, fields),
  ];
}

/**
 * Errors about the choice between name and number are reported at the backend, as kube-apiserver
 * does.
 */
function portErrors(port: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  const name = stringAt(port, 'name');
  const number = numberAt(port, 'number') ?? 0;
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return checkString(`${path}.${fields.portName}`, name, validatePortName);
  if (number !== 0) return checkPortNumber(`${path}.${fields.portNumber}`, number);
  return [required(path, 'port name or number is required')];
}
