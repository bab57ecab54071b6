import { errorsOfEach } from '../../../status/all-errors.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { extensionOf } from './schema-extension.ts';

/** Every error of a schema of custom resources that does not ask for its structure. `path` is that of the root. */
export function checkCustomSchema(path: string, schema: JsonObject): readonly FieldError[] {
  return [
    ...(isTrue(schema, 'nullable') ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...schemaErrors(path, schema),
  ];
}

function schemaErrors(path: string, schema: JsonObject): readonly FieldError[] {
  return [
    ...unsupportedErrors(path, schema),
    ...(isTrue(schema, 'uniqueItems')
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...mapErrors(path, schema),
    ...errorsOfEach(partsOf(path, schema), ([at, part]) => schemaErrors(at, part)),
    ...listErrors(path, schema),
  ];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Parts of JSON Schema that OpenAPI or this server does not have. */
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function unsupportedErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  return [
    ...unsupported
      .filter((name) => isSet(schema, name) && getOwn(schema, name) !== '')
      .map((name) => forbidden(`${path}.${name}`, `${name} is not supported`)),
    ...(type === '' || type === 'null' || types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)]),
    ...(type === 'null'
      ? [forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(Array.isArray(schema['items'])
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
  ];
}

/** An object has fields of its own or fields of any name. */
function mapErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const others = schema['additionalProperties'];
  const named = Object.keys(objectAt(schema, 'properties')).length > 0;
  return named && (others === false || isJsonObject(others ?? null))
    ? [forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
    : [];
}

/** The schemas inside a schema, with their paths. */
function partsOf(path: string, schema: JsonObject): readonly (readonly [path: string, schema: JsonObject])[] {
  const named = Object.entries(objectAt(schema, 'properties')).map(([name, part]) =>
    located(`${path}.properties[${name}]`, part),
  );
  const single = ['additionalProperties', 'not', 'items'].map((name) =>
    located(`${path}.${name}`, getOwn(schema, name)),
  );
  const listed = ['allOf', 'oneOf', 'anyOf'].flatMap((name) =>
    objectsAt(schema, name).map((part, index) => located(`${path}.${name}[${index}]`, part)),
  );
  return [...named, ...single, ...listed].flat();
}

function located(path: string, value: JsonValue | undefined): readonly (readonly [path: string, schema: JsonObject])[] {
  return isJsonObject(value ?? null) ? [[path, value as JsonObject]] : [];
}

/** Keys tell the items of a map apart. */
function keyErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const keys = extensionOf(schema, 'list-map-keys');
  return keys === undefined || stringsAt(schema, keys).length === 0
    ? []
    : [required(`${path}.${keys.replace(/map-keys$/, 'type')}`, `must be map if ${keys} is non-empty`)];
}

const listTypes = ['atomic', 'set', 'map'];

/** How lists are merged says what their items look like. */
function listErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const extension = extensionOf(schema, 'list-type');
  if (extension === undefined) return keyErrors(path, schema);
  const [field, type, listType] = [`${path}.${extension}`, stringAt(schema, 'type'), stringAt(schema, extension)];
  const why = `must be array if ${extension} is specified`;
  const keys = extension.replace(/type$/, 'map-keys');
  return [
    ...(type === 'array' ? [] : [type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why)]),
    ...(listTypes.includes(listType) ? [] : [notSupported(field, listType, listTypes)]),
    ...(listType === 'map' && !isSet(schema, keys)
      ? [required(`${path}.${keys}`, `must not be empty if ${extension} is map`)]
      : []),
    ...(listType !== 'map' && isSet(schema, keys)
      ? [invalid(field, listType, `must be map if ${keys} is non-empty`)]
      : []),
  ];
}
