import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkIpAddress, checkNotSpecial } from '../../rules/fields/ip.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';

/** The strategy of Endpoints. A PUT may create them and needs no resourceVersion. */
export const strategy: Strategy = {
  validate: (endpoints) => checkEach('subsets', objectsAt(endpoints, 'subsets'), subsetErrors),
  allowCreateOnUpdate: true,
};

function subsetErrors(subset: JsonObject, path: string): FieldError[] {
  const ready = objectsAt(subset, 'addresses');
  const notReady = objectsAt(subset, 'notReadyAddresses');
  const ports = objectsAt(subset, 'ports');
  return [
    ...(ready.length + notReady.length === 0
      ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...checkEach(`${path}.addresses`, ready, addressErrors),
    ...checkEach(`${path}.notReadyAddresses`, notReady, addressErrors),
    ...checkEach(`${path}.ports`, ports, (port, at) => portErrors(port, at, ports.length > 1)),
  ];
}

function addressErrors(address: JsonObject, path: string): readonly FieldError[] {
  const ip = stringAt(address, 'ip');
  const hostname = stringAt(address, 'hostname');
  const nodeName = stringAt(address, 'nodeName');
  return allErrors(
    checkIpAddress(`${path}.ip`, ip),
    hostname === '' ? noErrors : checkString(`${path}.hostname`, hostname, validateDnsLabel),
    nodeName === '' ? noErrors : checkString(`${path}.nodeName`, nodeName, validateDnsSubdomain),
    checkNotSpecial(`${path}.ip`, ip),
  );
}

function portErrors(port: JsonObject, path: string, nameNeeded: boolean): FieldError[] {
  const name = stringAt(port, 'name');
  return [
    ...(name === ''
      ? nameNeeded
        ? [required(`${path}.name`)]
        : []
      : checkString(`${path}.name`, name, validateDnsLabel)),
    ...checkPortNumber(`${path}.port`, numberAt(port, 'port') ?? 0),
    ...(isSet(port, 'appProtocol')
      ? checkString(`${path}.appProtocol`, stringAt(port, 'appProtocol'), validateQualifiedName)
      : []),
  ];
}
