import { getOwn, isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';

/** The schemas of a group and version, by the names of their references. */
export type Schemas = JsonObject;

/** A type or a field of it, with the schemas that it refers to. */
export interface ExplainedField {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** The last field of the path; undefined for the type itself. */
  readonly name: string | undefined;
  readonly schema: JsonObject;
  readonly schemas: Schemas;
}

/** The schema of a kind; undefined if there is none. */
export function schemaOfKind(
  schemas: Schemas,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): JsonObject | undefined {
  const isWanted = (each: JsonObject): boolean =>
    stringAt(each, 'group') === group && stringAt(each, 'version') === version && stringAt(each, 'kind') === kind;
  return Object.values(schemas)
    .filter(isJsonObject)
    .find((schema) => kindsOf(schema).some(isWanted));
}

/** The kinds of a schema, from the extension whose name begins with the product's. */
function kindsOf(schema: JsonObject): readonly JsonObject[] {
  const name = Object.keys(schema).find((key) => /^x-.*-group-version-kind$/.test(key));
  return name === undefined ? [] : objectsAt(schema, name);
}

/** The name of the schema that this one refers to; empty if it is no reference. */
export function referenceOf(schema: JsonObject): string {
  const [only] = objectsAt(schema, 'allOf');
  const reference = stringAt(schema, '$ref') || (only ? stringAt(only, '$ref') : '');
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The schema that this one refers to, or itself. */
export function resolved(schema: JsonObject, schemas: Schemas): JsonObject {
  const target = getOwn(schemas, referenceOf(schema));
  return isJsonObject(target) ? target : schema;
}

/** Lists and maps in each other that are followed: a schema may be the one of its own elements. */
const deepest = 32;

/** The schema of the elements of a list or a map, at any depth, or of the value itself. */
export function elementOf(schema: JsonObject, schemas: Schemas, depth = 0): JsonObject {
  const own = resolved(schema, schemas);
  const inner = [own.items, own.additionalProperties].find(isJsonObject);
  return inner && depth < deepest ? elementOf(inner, schemas, depth + 1) : own;
}

/** A field of an object: its name, schema, and whether an object must have it. */
export interface SchemaField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** The fields of an object, of the elements of a list or of the values of a map, by name. */
export function fieldsOf(schema: JsonObject, schemas: Schemas): SchemaField[] {
  const owner = elementOf(schema, schemas);
  const required = stringsAt(owner, 'required');
  return Object.entries(objectAt(owner, 'properties'))
    .flatMap(([name, each]) =>
      isJsonObject(each) ? [{ name, schema: each, isRequired: required.includes(name) }] : [],
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The type of a value: `string`, `[]Container`, `map[string]string`, `Object`. */
export function typeName(schema: JsonObject, schemas: Schemas, named = true, depth = 0): string {
  const reference = referenceOf(schema);
  const own = resolved(schema, schemas);
  const isObject = stringAt(own, 'type') === 'object' || !own.type;
  if (reference && named && isObject) return reference.slice(reference.lastIndexOf('.') + 1);
  const prefix = isJsonObject(own.items) ? '[]' : 'map[string]';
  const inner = [own.items, own.additionalProperties].find(isJsonObject);
  if (inner) return `${prefix}${depth < deepest ? typeName(inner, schemas, named, depth + 1) : 'Object'}`;
  const type = stringAt(own, 'type') || (own.oneOf ? 'string' : '');
  return type === '' || type === 'object' ? 'Object' : type;
}

/** The descriptions of a field, of its type, and of the types of its elements or values. */
export function descriptionsOf(schema: JsonObject, schemas: Schemas, depth = 0): string[] {
  const own = resolved(schema, schemas);
  const inner = [own.items, own.additionalProperties].find(isJsonObject);
  const texts = (own === schema ? [schema] : [schema, own]).map((each) => stringAt(each, 'description').trim());
  return [...texts.filter(Boolean), ...(inner && depth < deepest ? descriptionsOf(inner, schemas, depth + 1) : [])];
}
