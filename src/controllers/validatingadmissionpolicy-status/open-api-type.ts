import { type CelType, listOf, mapOf, type ObjectField, types } from '../../cel/types/cel-type.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';

/** The schemas of an OpenAPI 3 document, by name. */
export type OpenApiSchemas = Readonly<Record<string, JsonObject>>;

/** The types of strings, by format. */
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

/** The position of a schema. */
interface SchemaPlace {
  readonly schemas: OpenApiSchemas;
  /** The name for its type, if it is an object. */
  readonly name: string;
  /**
   * The names of the enclosing schemas. A schema inside itself becomes an object without fields.
   */
  readonly around: readonly string[];
}

/**
 * The type of a kind's objects in expressions; `key` names its schema. Values without a type or
 * with several are not visible, nor are lists and maps of such values.
 */
export function openApiType(key: string, schemas: OpenApiSchemas, kind: string): CelType | undefined {
  const schema = getOwn(schemas, key);
  return schema && typeOf(withIdentity(schema, schemas), { schemas, name: kind, around: [key] });
}

const emptyObject: JsonObject = { type: 'object' };

function typeOf(schema: JsonObject, place: SchemaPlace): CelType | undefined {
  const { schemas, name } = place;
  const key = referenceOf(schema);
  if (key !== undefined) {
    const isInItself = place.around.includes(key);
    const target = isInItself ? emptyObject : (getOwn(schemas, key) ?? {});
    return typeOf(target, { ...place, around: [...place.around, key] });
  }
  if (isIntOrString(schema)) return types.dyn;
  const type = stringAt(schema, 'type');
  if (type === 'array') {
    const element = partType(schema['items'], { ...place, name: `${name}.@idx` });
    return element && listOf(element);
  }
  if (type === 'string') return formats[stringAt(schema, 'format')] ?? types.string;
  return type === 'object' ? objectType(schema, place) : scalars[type];
}

function partType(schema: JsonValue | undefined, place: SchemaPlace): CelType | undefined {
  if (!isJsonObject(schema)) return undefined;
  return typeOf(isMarked(schema, embedded) ? withIdentity(schema, place.schemas) : schema, place);
}

function referenceOf(schema: JsonObject): string | undefined {
  const [first] = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const reference = stringAt(isJsonObject(first) ? first : schema, '$ref');
  return reference === '' ? undefined : reference.slice(reference.lastIndexOf('/') + 1);
}

function isIntOrString(schema: JsonObject): boolean {
  return stringAt(schema, 'format') === 'int-or-string' || isMarked(schema, /-int-or-string$/);
}

/** The extension that marks embedded objects. */
const embedded = /-embedded-resource$/;

/** True if a schema has a marker extension whose name matches. */
function isMarked(schema: JsonObject, extension: RegExp): boolean {
  return Object.entries(schema).some(([key, value]) => value === true && extension.test(key));
}

/** Adds kind, apiVersion and metadata to the schema of an embedded object that lacks them. */
function withIdentity(schema: JsonObject, schemas: OpenApiSchemas): JsonObject {
  const given = objectAt(schema, 'properties');
  const [metadata, kind, apiVersion] = ['metadata', 'kind', 'apiVersion'].map((field) => objectAt(given, field));
  const key = referenceOf(metadata ?? {});
  const names = objectAt((key === undefined ? metadata : getOwn(schemas, key)) ?? {}, 'properties');
  const needed = [kind, apiVersion, objectAt(names, 'name'), objectAt(names, 'generateName')];
  if (needed.every((part) => part && stringAt(part, 'type') === 'string')) return schema;
  const text = { type: 'string' };
  const named = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...given, kind: text, apiVersion: text, metadata: named } };
}

function objectType(schema: JsonObject, place: SchemaPlace): CelType | undefined {
  const { name } = place;
  const additional = schema['additionalProperties'];
  if (isJsonObject(additional)) {
    const value = partType(additional, { ...place, name: `${name}.@elem` });
    return value && mapOf(types.string, value);
  }
  const fields = new Map<string, ObjectField>();
  for (const [field, part] of Object.entries(objectAt(schema, 'properties'))) {
    const type = partType(part, { ...place, name: `${name}.${field}` });
    if (type) for (const spelling of spellings(field)) fields.set(spelling, { name: field, type });
  }
  return { kind: 'object', name, fields };
}

/** The names of a field in expressions. A reserved word can also be selected by its plain name. */
function spellings(field: string): readonly string[] {
  if (!accessible.test(field)) return [];
  if (reserved.has(field)) return [field, `__${field}__`];
  return [field.replaceAll(/__|[.\-/]/g, (part) => escapes[part] ?? part)];
}
