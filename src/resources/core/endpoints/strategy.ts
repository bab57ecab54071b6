import type { JsonObject } from '../../../meta/json-value.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { allErrors } from '../../../status/all-errors.ts';
import { type FieldError, required } from '../../../status/field-error.ts';
import { isSet, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkIpAddress, checkNotSpecial } from '../../rules/fields/ip.ts';

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
  return allErrors(checkIpAddress(`${path}.ip`, ip), checkNotSpecial(`${path}.ip`, ip));
}

function portErrors(port: JsonObject, path: string, nameNeeded: boolean): FieldError[] {
  return [
    ...(nameNeeded && stringAt(port, 'name') === '' ? [required(`${path}.name`)] : []),
    ...(isSet(port, 'appProtocol')
      ? checkString(`${path}.appProtocol`, stringAt(port, 'appProtocol'), validateQualifiedName)
      : []),
  ];
}
