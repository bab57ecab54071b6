import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkTypeFor } from './map-type.ts';
import { extensionOf, hasExtension } from '../../scheme/model/structural-schema.ts';
import { propertiesOf, schemaIn, schemasIn } from './schema-parts.ts';

/** The position of a schema. The message for a missing type depends on it. */
type SchemaPosition = 'root' | 'item' | 'field';

const typeless: Readonly<Record<SchemaPosition, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * All reasons why a schema is not structural, sorted as kube-apiserver does. In a structural schema
 * every part has a type, and `allOf` and the like only restrict it. Pruning needs such a schema.
 */
export function checkStructure(path: string, schema: JsonObject): readonly FieldError[] {
  const errors = allErrors(structureErrors(path, schema, 'root'), checkCompleteness(path, schema));
  if (errors.length < 2) return errors;
  const keyed = errors.map((error) => ({ key: `${error.field}:`, error }));
  return keyed
    .toSorted((left, right) => order(left.key, right.key) || order(left.error.message, right.error.message))
    .map(({ error }) => error);
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function structureErrors(path: string, schema: JsonObject, position: SchemaPosition): readonly FieldError[] {
  return allErrors(
    stringAt(schema, 'type') === 'array' && !isSet(schema, 'items')
      ? [required(`${path}.items`, 'must be specified')]
      : noErrors,
    errorsOfEach(schemaIn(path, schema, 'items'), ([at, part]) => structureErrors(at, part, 'item')),
    errorsOfEach(propertiesOf(path, schema), ([at, part]) => structureErrors(at, part, 'field')),
    position === 'root' && isSet(schema, 'additionalProperties')
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : noErrors,
    errorsOfEach(schemaIn(path, schema, 'additionalProperties'), ([at, part]) => structureErrors(at, part, 'field')),
    exclusionErrors(path, schema),
    narrowingErrors(path, schema, intOrStringTypes(schema)),
    typeErrors(path, schema, position),
    embeddedErrors(path, schema),
    position === 'root' || hasExtension(schema, 'embedded-resource') ? identityErrors(path, schema) : noErrors,
    position === 'root' ? metadataErrors(`${path}.properties[metadata]`, objectAt(schema, 'properties')) : noErrors,
  );
}

/** Refuses `int-or-string` together with `preserve-unknown-fields` or `embedded-resource`. */
function exclusionErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const intOrString = extensionOf(schema, 'int-or-string');
  if (intOrString === undefined || !hasExtension(schema, 'int-or-string')) return noErrors;
  return ['preserve-unknown-fields', 'embedded-resource']
    .filter((name) => hasExtension(schema, name))
    .map((name) =>
      invalid(`${path}.${extensionOf(schema, name) ?? name}`, true, `must be false if ${intOrString} is true`),
    );
}

function typeErrors(path: string, schema: JsonObject, position: SchemaPosition): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const embedded = extensionOf(schema, 'embedded-resource');
  if (embedded !== undefined && hasExtension(schema, 'embedded-resource')) {
    return checkTypeFor(path, schema, 'object', `${embedded} is true`);
  }
  const free = hasExtension(schema, 'int-or-string') || hasExtension(schema, 'preserve-unknown-fields');
  if (type === '') return free ? noErrors : [required(`${path}.type`, typeless[position])];
  return position === 'root' && type !== 'object'
    ? [invalid(`${path}.type`, type, 'must be object at the root')]
    : noErrors;
}

/** Checks an embedded resource: it is an object with properties, or keeps unknown fields. */
function embeddedErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const embedded = extensionOf(schema, 'embedded-resource');
  if (embedded === undefined || !hasExtension(schema, 'embedded-resource')) return noErrors;
  const preserve = embedded.replace(/embedded-resource$/, 'preserve-unknown-fields');
  const isBare =
    !hasExtension(schema, 'preserve-unknown-fields') && Object.keys(objectAt(schema, 'properties')).length === 0;
  return [
    ...(isSet(schema, 'additionalProperties')
      ? [forbidden(`${path}.additionalProperties`, `must not be used if ${embedded} is set`)]
      : []),
    ...(isBare ? [required(`${path}.properties`, `must not be empty if ${embedded} is true without ${preserve}`)] : []),
  ];
}

/** Checks the types of `kind`, `apiVersion` and `metadata`. */
function identityErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const properties = objectAt(schema, 'properties');
  const types = { kind: 'string', apiVersion: 'string', metadata: 'object' };
  return Object.entries(types)
    .filter(([name, type]) => isSet(properties, name) && stringAt(objectAt(properties, name), 'type') !== type)
    .map(([name, type]) =>
      invalid(`${path}.properties[${name}].type`, stringAt(objectAt(properties, name), 'type'), `must be ${type}`),
    );
}

/** Checks `metadata` at the root: it may restrict only `name` and `generateName`. */
function metadataErrors(path: string, root: JsonObject): readonly FieldError[] {
  const { type: _type, default: _default, properties, ...rest } = objectAt(root, 'metadata');
  const names = Object.keys(objectAt({ properties: properties ?? {} }, 'properties'));
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return Object.keys(rest).length === 0 && names.every((name) => name === 'name' || name === 'generateName')
    ? noErrors
    : [forbidden(path, why)];
}

/**
 * Parts that `allOf`, `anyOf`, `oneOf` and `not` may not have, because they do more than restrict.
 */
const widening = [
  ['type', 'must be empty to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['default', 'must be undefined to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
] as const;

/** The extensions with the same restriction. They may be set to false. */
const wideningExtensions = [
  ['preserve-unknown-fields', 'must be false to be structural'],
  ['embedded-resource', 'must be false to be structural'],
  ['int-or-string', 'must be false to be structural'],
  ['list-map-keys', 'must be empty to be structural'],
  ['list-type', 'must be undefined to be structural'],
  ['map-type', 'must be undefined to be structural'],
] as const;

const numberOrText: JsonValue = [{ type: 'integer' }, { type: 'string' }];

/**
 * The position of the types of an `int-or-string`. Only there are types allowed inside a
 * restriction: its own `anyOf`, or the `anyOf` of its first `allOf`.
 */
function intOrStringTypes(schema: JsonObject): 'own' | 'first' | undefined {
  if (!hasExtension(schema, 'int-or-string')) return undefined;
  if (sameValue(getOwn(schema, 'anyOf'), numberOrText)) return 'own';
  const [first] = objectsAt(schema, 'allOf');
  return first && sameValue(getOwn(first, 'anyOf'), numberOrText) ? 'first' : undefined;
}

function narrowingErrors(path: string, schema: JsonObject, types: 'own' | 'first' | undefined): readonly FieldError[] {
  return allErrors(
    types === 'own' ? noErrors : errorsOfEach(schemasIn(path, schema, 'anyOf'), ([at, part]) => nestedErrors(at, part)),
    errorsOfEach(schemasIn(path, schema, 'allOf'), ([at, part], index) =>
      nestedErrors(at, part, types === 'first' && index === 0 ? 'own' : undefined),
    ),
    errorsOfEach(schemasIn(path, schema, 'oneOf'), ([at, part]) => nestedErrors(at, part)),
    errorsOfEach(schemaIn(path, schema, 'not'), ([at, part]) => nestedErrors(at, part)),
  );
}

function nestedErrors(path: string, schema: JsonObject, types?: 'own'): readonly FieldError[] {
  return [
    ...narrowingErrors(path, schema, types),
    ...errorsOfEach(schemaIn(path, schema, 'items'), ([at, part]) => nestedErrors(at, part)),
    ...errorsOfEach(propertiesOf(path, schema), ([at, part]) => nestedErrors(at, part)),
    ...widening
      .filter(([name]) => isSet(schema, name) && getOwn(schema, name) !== '')
      .map(([name, why]) => forbidden(`${path}.${name}`, why)),
    ...wideningExtensions.flatMap(([name, why]) => {
      const extension = extensionOf(schema, name);
      return extension === undefined || isNothing(schema[extension]) ? [] : [forbidden(`${path}.${extension}`, why)];
    }),
    ...(isTrue(schema, 'nullable') ? [forbidden(`${path}.nullable`, 'must be false to be structural')] : []),
    ...(isJsonObject(getOwn(objectAt(schema, 'properties'), 'metadata') ?? null)
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

/**
 * Checks that each part which `allOf`, `anyOf`, `oneOf` or `not` restricts is defined in the schema
 * itself. A rule of structural schemas.
 */
function checkCompleteness(path: string, schema: JsonObject): readonly FieldError[] {
  return narrowed(schema, schema, path, path);
}

function narrowed(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  schemaPath: string,
  path: string,
): readonly FieldError[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    objectsAt(restriction, name).map((part, index) => [`${path}.${name}[${index}]`, part] as const),
  );
  const not = getOwn(restriction, 'not');
  return allErrors(
    isObject(not) ? restricted(not, schema, schemaPath, `${path}.not`) : noErrors,
    errorsOfEach(lists, ([at, part]) => restricted(part, schema, schemaPath, at)),
  );
}

function restricted(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  schemaPath: string,
  path: string,
): readonly FieldError[] {
  if (!schema) return [required(schemaPath, `because it is defined in ${path}`)];
  const items = getOwn(restriction, 'items');
  const properties = objectAt(schema, 'properties');
  return allErrors(
    narrowed(restriction, schema, schemaPath, path),
    isObject(items) ? restricted(items, partOf(schema, 'items'), `${schemaPath}.items`, `${path}.items`) : noErrors,
    errorsOfEach(Object.entries(objectAt(restriction, 'properties')), ([name, part]) => {
      const step = `.properties[${name}]`;
      return isObject(part) ? restricted(part, partOf(properties, name), schemaPath + step, path + step) : noErrors;
    }),
  );
}

function partOf(schema: JsonObject, name: string): JsonObject | undefined {
  const part = getOwn(schema, name);
  return isObject(part) ? part : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}
