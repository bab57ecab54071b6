import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../../status/field-error.ts';
import { isSet, numberAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/check.ts';
import { checkImmutable } from '../../rules/immutable.ts';
import { isIpAddress } from '../../rules/ip.ts';
import { checkPortNumber } from '../../rules/port.ts';
import { endpointSliceConversions } from './convert.ts';

/** The most that a slice may hold; larger services have several. */
const limits = { endpoints: 1000, addresses: 100, ports: 100 };

/** Endpoint slices. */
export const definition: ResourceDefinition = {
  group: 'discovery',
  resource: 'endpointslices',
  strategy: {
    generation: true,
    validate: validateSlice,
    validateUpdate: (slice, old) =>
      checkImmutable('addressType', getOwn(slice, 'addressType'), getOwn(old, 'addressType')),
  },
  conversions: endpointSliceConversions,
};

function validateSlice(slice: JsonObject): FieldError[] {
  const endpoints = objectsAt(slice, 'endpoints');
  const ports = objectsAt(slice, 'ports');
  const names = ports.map((port) => stringAt(port, 'name'));
  return [
    ...(endpoints.length > limits.endpoints ? [tooMany('endpoints', endpoints.length, limits.endpoints)] : []),
    ...checkEach('endpoints', endpoints, (endpoint, path) =>
      endpointErrors(endpoint, path, stringAt(slice, 'addressType')),
    ),
    ...(ports.length > limits.ports ? [tooMany('ports', ports.length, limits.ports)] : []),
    ...ports.flatMap((port, index) => [
      ...portErrors(port, `ports[${index}]`),
      ...(names.indexOf(stringAt(port, 'name')) < index
        ? [duplicate(`ports[${index}].name`, stringAt(port, 'name'))]
        : []),
    ]),
  ];
}

function endpointErrors(endpoint: JsonObject, path: string, type: string): FieldError[] {
  const addresses = stringsAt(endpoint, 'addresses');
  const hostname = stringAt(endpoint, 'hostname');
  if (addresses.length === 0) return [required(`${path}.addresses`, 'must contain at least 1 address')];
  return [
    ...(addresses.length > limits.addresses ? [tooMany(`${path}.addresses`, addresses.length, limits.addresses)] : []),
    ...checkEach(`${path}.addresses`, addresses, (address, at) => addressErrors(address, at, type)),
    ...(isSet(endpoint, 'hostname') ? checkString(`${path}.hostname`, hostname, validateDnsLabel) : []),
    ...(isSet(endpoint, 'nodeName')
      ? checkString(`${path}.nodeName`, stringAt(endpoint, 'nodeName'), validateDnsSubdomain)
      : []),
  ];
}

function addressErrors(address: string, field: string, type: string): FieldError[] {
  if (type === 'FQDN') return checkString(field, address, validateDnsSubdomain);
  const version = type === 'IPv4' ? 'v4' : 'v6';
  return isIpAddress(address) && address.includes(':') === (version === 'v6')
    ? []
    : [invalid(field, address, `must be a valid IP${version} address`)];
}

function portErrors(port: JsonObject, path: string): FieldError[] {
  const name = stringAt(port, 'name');
  const number = numberAt(port, 'port');
  return [
    ...(name === '' ? [] : checkString(`${path}.name`, name, validateDnsLabel)),
    ...(number === undefined ? [] : checkPortNumber(`${path}.port`, number)),
  ];
}
