import { type CelType, listOf, mapOf, types } from '../../cel/types/cel-type.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';

/** The schemas of a document of OpenAPI 3, by their names. */
export type OpenApiSchemas = Readonly<Record<string, JsonObject>>;

/** Values of schemas that contain themselves have any type below this depth. */
const deepest = 12;

/** The types of texts, by their format. */
const formats: Readonly<Record<string, CelType>> = {
  byte: types.bytes,
  date: types.timestamp,
  'date-time': types.timestamp,
  duration: types.duration,
};

const scalars: Readonly<Record<string, CelType>> = {
  boolean: types.bool,
  integer: types.int,
  number: types.double,
};

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
);

const accessible = /^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/;

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The type of the values of a schema, as expressions see them. `name` is the name of the type. */
export function openApiType(schema: JsonObject, schemas: OpenApiSchemas, name: string, depth = 0): CelType {
  const resolved = resolve(schema, schemas);
  if (!resolved || depth > deepest || isOpen(resolved)) return types.dyn;
  const type = stringAt(resolved, 'type');
  if (type === 'array') {
    return listOf(openApiType(objectAt(resolved, 'items'), schemas, `${name}.@idx`, depth + 1));
  }
  if (type === 'string') return formats[stringAt(resolved, 'format')] ?? types.string;
  if (type === 'object') return objectType(resolved, schemas, name, depth);
  return scalars[type] ?? types.dyn;
}

function resolve(schema: JsonObject, schemas: OpenApiSchemas): JsonObject | undefined {
  const [first] = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const target = isJsonObject(first) ? first : schema;
  const reference = stringAt(target, '$ref');
  return reference === '' ? target : getOwn(schemas, reference.slice(reference.lastIndexOf('/') + 1));
}

/** Values of several types, or of any. */
function isOpen(schema: JsonObject): boolean {
  return (
    schema['oneOf'] !== undefined ||
    stringAt(schema, 'format') === 'int-or-string' ||
    Object.entries(schema).some(
      ([key, value]) => /-(?:int-or-string|preserve-unknown-fields)$/.test(key) && value === true,
    )
  );
}

function objectType(schema: JsonObject, schemas: OpenApiSchemas, name: string, depth: number): CelType {
  const additional = schema['additionalProperties'];
  if (isJsonObject(additional)) {
    return mapOf(types.string, openApiType(additional, schemas, `${name}.@elem`, depth + 1));
  }
  const properties = Object.entries(objectAt(schema, 'properties'));
  if (properties.length === 0) return types.dyn;
  const fields = properties.flatMap(([field, part]) => {
    const type = isJsonObject(part) ? openApiType(part, schemas, `${name}.${field}`, depth + 1) : types.dyn;
    return spellings(field).map((spelling) => [spelling, { name: field, type }] as const);
  });
  return { kind: 'object', name, fields: new Map(fields) };
}

/** The names of a field in expressions. A reserved word can be selected as it is, too. */
function spellings(field: string): readonly string[] {
  if (!accessible.test(field)) return [];
  if (reserved.has(field)) return [field, `__${field}__`];
  return [field.replaceAll(/__|[.\-/]/g, (part) => escapes[part] ?? part)];
}
