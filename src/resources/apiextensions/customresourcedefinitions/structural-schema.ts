import { errorsOfEach } from '../../../status/all-errors.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { hasExtension } from './schema-extension.ts';

/** Where a schema stands; each place has words of its own for a type that is missing. */
type Place = 'root' | 'item' | 'field';

const typeless: Readonly<Record<Place, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Every way in which a schema is not structural: each part has a type, and what stands under `allOf` and the like only narrows
 * it. Unknown fields can only be told from known ones in such schemas.
 */
export function checkStructure(path: string, schema: JsonObject, place: Place = 'root'): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const items = getOwn(schema, 'items');
  const others = getOwn(schema, 'additionalProperties');
  return [
    ...(type === 'array' && !isSet(schema, 'items') ? [required(`${path}.items`, 'must be specified')] : []),
    ...(isJsonObject(items ?? null) ? checkStructure(`${path}.items`, objectAt(schema, 'items'), 'item') : []),
    ...errorsOfEach(Object.entries(objectAt(schema, 'properties')), ([name, part]) =>
      isJsonObject(part) ? checkStructure(`${path}.properties[${name}]`, part, 'field') : [],
    ),
    ...(place === 'root' && isSet(schema, 'additionalProperties')
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(isJsonObject(others ?? null)
      ? checkStructure(`${path}.additionalProperties`, objectAt(schema, 'additionalProperties'), 'field')
      : []),
    ...narrowingErrors(path, schema, hasExtension(schema, 'int-or-string')),
    ...typeErrors(path, schema, place),
    ...(place === 'root' || hasExtension(schema, 'embedded-resource') ? identityErrors(path, schema) : []),
  ];
}

function typeErrors(path: string, schema: JsonObject, place: Place): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const free = hasExtension(schema, 'int-or-string') || hasExtension(schema, 'preserve-unknown-fields');
  if (type === '') return free ? [] : [required(`${path}.type`, typeless[place])];
  return place === 'root' && type !== 'object' ? [invalid(`${path}.type`, type, 'must be object at the root')] : [];
}

/** What every object says of itself has a type that is known. */
function identityErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const properties = objectAt(schema, 'properties');
  const types = { kind: 'string', apiVersion: 'string', metadata: 'object' };
  return Object.entries(types)
    .filter(([name, type]) => isSet(properties, name) && stringAt(objectAt(properties, name), 'type') !== type)
    .map(([name, type]) =>
      invalid(`${path}.properties[${name}].type`, stringAt(objectAt(properties, name), 'type'), `must be ${type}`),
    )
    .concat(metadataErrors(`${path}.properties[metadata]`, objectAt(properties, 'metadata', 'properties')));
}

/** The schema of the metadata is this server's; its names alone can be restricted. */
function metadataErrors(path: string, properties: JsonObject): readonly FieldError[] {
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return Object.keys(properties).every((name) => name === 'name' || name === 'generateName')
    ? []
    : [forbidden(path, why)];
}

/** What says more of a value than that it is restricted. */
const widening = [
  ['type', 'must be empty to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['default', 'must be undefined to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
] as const;

/** A number or a text says so by types under `anyOf`, first of all or under the first `allOf`. */
function narrowingErrors(path: string, schema: JsonObject, intOrString: boolean): readonly FieldError[] {
  const not = objectAt(schema, 'not');
  return [
    ...errorsOfEach(['allOf', 'anyOf', 'oneOf'], (name) =>
      errorsOfEach(objectsAt(schema, name), (part, index) =>
        intOrString && name === 'anyOf'
          ? []
          : nestedErrors(`${path}.${name}[${index}]`, part, intOrString && name === 'allOf' && index === 0),
      ),
    ),
    ...(isSet(schema, 'not') ? nestedErrors(`${path}.not`, not, false) : []),
  ];
}

function nestedErrors(path: string, schema: JsonObject, intOrString: boolean): readonly FieldError[] {
  const items = getOwn(schema, 'items');
  return [
    ...narrowingErrors(path, schema, intOrString),
    ...(isJsonObject(items ?? null) ? nestedErrors(`${path}.items`, objectAt(schema, 'items'), false) : []),
    ...errorsOfEach(Object.entries(objectAt(schema, 'properties')), ([name, part]) =>
      isJsonObject(part) ? nestedErrors(`${path}.properties[${name}]`, part, false) : [],
    ),
    ...widening
      .filter(([name]) => isSet(schema, name) && getOwn(schema, name) !== '')
      .map(([name, why]) => forbidden(`${path}.${name}`, why)),
    ...(isTrue(schema, 'nullable') ? [forbidden(`${path}.nullable`, 'must be false to be structural')] : []),
    ...(isSet(objectAt(schema, 'properties'), 'metadata')
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}
