import type { JsonObject } from '../../../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../../../meta/quantity.ts';
import { isSet, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkAccessModes } from '../../rules/fields/access-modes.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkStorage } from '../../rules/fields/resource-amounts.ts';

/** All errors of the spec of a claim or of a claim template. */
export function checkClaimSpec(spec: JsonObject, path: string): FieldError[] {
  const modes = stringsAt(spec, 'accessModes');
  const requests = objectAt(spec, 'resources', 'requests');
  const className = stringAt(spec, 'storageClassName');
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...(isSet(spec, 'selector') ? checkLabelSelector(`${path}.selector`, objectAt(spec, 'selector')) : []),
    ...checkAccessModes(`${path}.accessModes`, modes),
    ...(isSet(requests, 'storage')
      ? checkStorage(`${path}.resources[storage]`, stringAt(requests, 'storage'))
      : [required(`${path}.resources[storage]`)]),
    ...(className === '' ? [] : checkString(`${path}.storageClassName`, className, validateDnsSubdomain)),
    ...sourceErrors(spec, path),
  ];
}

/** Checks the data source of a claim. Outside the core group any kind is allowed. */
function sourceErrors(spec: JsonObject, path: string): FieldError[] {
  if (!isSet(spec, 'dataSource')) return [];
  const source = objectAt(spec, 'dataSource');
  const kind = stringAt(source, 'kind');
  return [
    ...['name', 'kind']
      .filter((name) => stringAt(source, name) === '')
      .map((name) => required(`${path}.dataSource.${name}`)),
    ...(stringAt(source, 'apiGroup') === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(`${path}.dataSource`, kind, '')]
      : []),
  ];
}

/**
 * The errors of an update of a claim. The volume's name may be set once, and a bound claim may
 * request more storage. Nothing else may change.
 */
export function validateClaimUpdate(claim: JsonObject, old: JsonObject): FieldError[] {
  const bound = stringAt(objectAt(old, 'status'), 'phase') === 'Bound';
  const [spec, oldSpec] = [objectAt(claim, 'spec'), objectAt(old, 'spec')];
  return [
    ...(sameSpec(fixedPart(spec, oldSpec, bound), fixedPart(oldSpec, oldSpec, bound))
      ? []
      : [forbidden('spec', 'spec is immutable after creation except resources.requests for bound claims')]),
    ...shrinkErrors(spec, oldSpec),
    ...checkImmutable('volumeMode', spec['volumeMode'], oldSpec['volumeMode']),
  ];
}

const sameSpec = sameMessage('api.core.v1.PersistentVolumeClaimSpec');

function fixedPart(written: JsonObject, old: JsonObject, bound: boolean): JsonObject {
  const { resources, volumeName, ...spec } = written;
  const assigned = stringAt(old, 'volumeName') !== '';
  const { storage, ...requests } = objectAt(written, 'resources', 'requests');
  return {
    ...spec,
    resources: {
      ...objectAt({ resources: resources ?? {} }, 'resources'),
      requests: bound ? requests : { ...requests, storage: storage ?? '' },
    },
    ...(assigned && volumeName !== undefined ? { volumeName } : {}),
  };
}

/** Refuses a decrease of the requested storage, its removal included. */
function shrinkErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [spec, old].map((one) =>
    parseQuantity(stringAt(objectAt(one, 'resources', 'requests'), 'storage') || '0'),
  );
  const shrinks = now && before && !('error' in now) && !('error' in before) && compareQuantities(now, before) < 0;
  return shrinks ? [forbidden('spec.resources.requests.storage', 'field can not be less than previous value')] : [];
}
