import path from 'node:path';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, objectAt, sameValue, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { checkString } from '../../rules/check.ts';
import { checkStorage } from '../../rules/resource-amounts.ts';
import { checkNodeSelector } from '../pods/scheduling.ts';

/** Persistent volumes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'persistentvolumes',
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (volume) => {
      volume['status'] = { phase: 'Pending' };
    },
    validate: validateVolume,
    validateUpdate: checkFixedFields,
    generation: false,
    selectableFields: ['name'],
    fieldsOf: (volume) => ({ name: stringAt(objectAt(volume, 'metadata'), 'name') }),
  },
};

/** The fields of the spec that are no source; whatever else stands there is one. */
const plainFields: ReadonlySet<string> = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

function sourceOf(volume: JsonObject): JsonObject {
  const entries = Object.entries(objectAt(volume, 'spec')).filter(([name]) => !plainFields.has(name));
  return Object.fromEntries(entries);
}

function validateVolume(volume: JsonObject): FieldError[] {
  const spec = objectAt(volume, 'spec');
  const className = stringAt(spec, 'storageClassName');
  const [source, ...others] = Object.keys(sourceOf(volume));
  return [
    ...(stringsAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...capacityErrors(objectAt(spec, 'capacity')),
    ...(source === undefined ? [required('spec', 'must specify a volume type')] : []),
    ...others.map((name) => forbidden(`spec.${name}`, 'may not specify more than 1 volume type')),
    ...placeErrors(spec),
    ...(className === '' ? [] : checkString('spec.storageClassName', className, validateDnsSubdomain)),
  ];
}

/** A volume offers room, and nothing else. */
function capacityErrors(capacity: JsonObject): FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required('spec.capacity')] : []),
    ...(names.length === 1 && isSet(capacity, 'storage') ? [] : [notSupported('spec.capacity', capacity, ['storage'])]),
    ...names.flatMap((name) => checkStorage(`spec.capacity[${name}]`, stringAt(capacity, name))),
  ];
}

/** Where a volume lies: one on the disk of a node says on which, and the root of a node is not emptied. */
function placeErrors(spec: JsonObject): FieldError[] {
  const local = isSet(spec, 'local') && !isSet(spec, 'nodeAffinity');
  const affinity = objectAt(spec, 'nodeAffinity');
  const root = path.posix.normalize(stringAt(objectAt(spec, 'hostPath'), 'path') || '.') === '/';
  return [
    ...(local ? [required('metadata.annotations', 'Local volume requires node affinity')] : []),
    ...(isSet(spec, 'nodeAffinity')
      ? isSet(affinity, 'required')
        ? checkNodeSelector('spec.nodeAffinity.required', objectAt(affinity, 'required'))
        : [required('spec.nodeAffinity.required', 'must specify required node constraints')]
      : []),
    ...(root && stringAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ];
}

function checkFixedFields(volume: JsonObject, old: JsonObject): FieldError[] {
  const mode = getOwn(objectAt(volume, 'spec'), 'volumeMode');
  return [
    ...(sameValue(sourceOf(volume), sourceOf(old))
      ? []
      : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...(sameValue(mode, getOwn(objectAt(old, 'spec'), 'volumeMode'))
      ? []
      : [invalid('volumeMode', mode ?? null, 'field is immutable')]),
  ];
}
