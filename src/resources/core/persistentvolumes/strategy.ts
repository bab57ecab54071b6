import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isSet, objectAt, sameValue, stringAt, stringsAt } from '../../../meta/read-field.ts';

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
  const [source, ...others] = Object.keys(sourceOf(volume));
  return [
    ...(stringsAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...(isSet(objectAt(spec, 'capacity'), 'storage') ? [] : [required('spec.capacity')]),
    ...(source === undefined ? [required('spec', 'must specify a volume type')] : []),
    ...others.map((name) => forbidden(`spec.${name}`, 'may not specify more than 1 volume type')),
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
