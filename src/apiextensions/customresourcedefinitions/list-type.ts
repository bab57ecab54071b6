import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { isSet, isTrue, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../status/field-error.ts';
import { checkTypeFor } from './map-type.ts';
import { extensionOf } from '../../scheme/model/structural-schema.ts';

const listTypes = ['atomic', 'set', 'map'];

/** Checks `list-type` and `list-map-keys`, and the items that they require. */
export function checkListType(path: string, schema: JsonObject): readonly FieldError[] {
  const extension = extensionOf(schema, 'list-type');
  const keys = extensionOf(schema, 'list-map-keys');
  if (extension === undefined) return keysAlone(path, schema, keys);
  const listType = stringAt(schema, extension);
  const hasKeys = keys !== undefined && stringsAt(schema, keys).length > 0;
  return [
    ...checkTypeFor(path, schema, 'array', `${extension} is specified`),
    ...(listTypes.includes(listType) ? [] : [notSupported(`${path}.${extension}`, listType, listTypes)]),
    ...(hasKeys && listType !== 'map'
      ? [invalid(`${path}.${extension}`, listType, `must be map if ${keys} is non-empty`)]
      : []),
    ...(listType === 'map' ? mapErrors(path, schema, extension) : []),
    ...(listType === 'map' || listType === 'set' ? itemErrors(path, schema, listType, extension) : []),
  ];
}

function keysAlone(path: string, schema: JsonObject, keys: string | undefined): readonly FieldError[] {
  return keys === undefined || stringsAt(schema, keys).length === 0
    ? noErrors
    : [required(`${path}.${keys.replace(/map-keys$/, 'type')}`, `must be map if ${keys} is non-empty`)];
}

/** Checks a list of type map: its keys are properties of its items. */
function mapErrors(path: string, schema: JsonObject, extension: string): readonly FieldError[] {
  const keysName = extension.replace(/type$/, 'map-keys');
  const keys = stringsAt(schema, keysName);
  const items = objectAt(schema, 'items');
  const type = stringAt(items, 'type');
  const given = isJsonObject(getOwn(schema, 'items') ?? null);
  return [
    ...(keys.length === 0 ? [required(`${path}.${keysName}`, `must not be empty if ${extension} is map`)] : []),
    ...(isSet(schema, 'items') ? [] : [required(`${path}.items`, `must have a schema if ${extension} is map`)]),
    ...(given && type !== 'object'
      ? [invalid(`${path}.items.type`, type, `must be object if parent array's ${extension} is map`)]
      : []),
    ...(given && type === 'object' ? keyErrors(path, keys, items, [keysName, extension]) : []),
  ];
}

function keyErrors(
  path: string,
  keys: readonly string[],
  items: JsonObject,
  [keysName, extension]: readonly [string, string],
): readonly FieldError[] {
  const properties = objectAt(items, 'properties');
  const wrong = (why: string): FieldError => invalid(`${path}.${keysName}`, keys, why);
  return [
    ...errorsOfEach([...new Set(keys)], (key) => {
      const type = stringAt(objectAt(properties, key), 'type');
      const field = `${path}.items.properties[${key}].type`;
      return type === 'array' || type === 'object'
        ? [invalid(field, type, `must be a scalar type if parent array's ${extension} is map`)]
        : noErrors;
    }),
    ...(keys.every((key) => isSet(properties, key)) ? [] : [wrong('entries must all be names of item properties')]),
    ...(new Set(keys).size === keys.length ? [] : [wrong('must not contain duplicate entries')]),
  ];
}

/**
 * Checks the items of maps and sets: they are not nullable, items of sets are atomic, and keys are
 * required or have a default.
 */
function itemErrors(path: string, schema: JsonObject, listType: string, extension: string): readonly FieldError[] {
  if (!isJsonObject(getOwn(schema, 'items') ?? null)) return noErrors;
  const items = objectAt(schema, 'items');
  const at = `${path}.items`;
  return [
    ...(isTrue(items, 'nullable')
      ? [forbidden(`${at}.nullable`, `cannot be nullable when ${extension} is ${listType}`)]
      : []),
    ...(listType === 'map' ? keyValueErrors(at, schema, extension) : granularErrors(at, items, extension)),
  ];
}

function keyValueErrors(at: string, schema: JsonObject, extension: string): readonly FieldError[] {
  const keysName = extension.replace(/type$/, 'map-keys');
  const items = objectAt(schema, 'items');
  const properties = objectAt(items, 'properties');
  const always = new Set(stringsAt(items, 'required'));
  const keys = stringsAt(schema, keysName).filter((key) => isSet(properties, key));
  return errorsOfEach(keys, (key) => {
    const [field, property] = [`${at}.properties[${key}]`, objectAt(properties, key)];
    const why = `this property is in ${keysName}, so it`;
    return [
      ...(always.has(key) || isSet(property, 'default')
        ? []
        : [required(`${field}.default`, `${why} must have a default or be a required property`)]),
      ...(isTrue(property, 'nullable') ? [forbidden(`${field}.nullable`, `${why} cannot be nullable`)] : []),
    ];
  });
}

/** Checks that the items of a set are atomic. Lists are atomic by default, objects are not. */
function granularErrors(at: string, items: JsonObject, extension: string): readonly FieldError[] {
  const [prefix, type] = [extension.replace(/list-type$/, ''), stringAt(items, 'type')];
  const why = `must be atomic as item of a list with ${extension}=set`;
  const [mapType, listType] = [`${prefix}map-type`, `${prefix}list-type`];
  if (type === 'object' && stringAt(items, mapType) !== 'atomic') return [invalid(`${at}.${mapType}`, null, why)];
  return type === 'array' && isSet(items, listType) && stringAt(items, listType) !== 'atomic'
    ? [invalid(`${at}.${listType}`, null, why)]
    : noErrors;
}
