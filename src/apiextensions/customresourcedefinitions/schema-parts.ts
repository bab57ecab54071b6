import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../meta/read-field.ts';

/** A schema inside another one, with its path. */
type LocatedSchema = readonly [path: string, schema: JsonObject];

/** True if a schema has no place for another one, as most schemas of a large definition. */
export function isLeaf(schema: JsonObject): boolean {
  for (const name in schema) if (typeof schema[name] === 'object') return false;
  return true;
}

/** The schemas of `properties`. */
export function propertiesOf(path: string, schema: JsonObject): readonly LocatedSchema[] {
  return schemasByName(path, schema, 'properties');
}

/**
 * The schemas in a map: `properties`, `definitions` or `dependencies`, of which some are lists of
 * names instead.
 */
export function schemasByName(path: string, schema: JsonObject, field: string): readonly LocatedSchema[] {
  return Object.entries(objectAt(schema, field)).flatMap(([name, part]) => located(`${path}.${field}[${name}]`, part));
}

/** The schema in a field that may also be a boolean, a list, or missing. */
export function schemaIn(path: string, schema: JsonObject, name: string): readonly LocatedSchema[] {
  return located(`${path}.${name}`, getOwn(schema, name));
}

/** The schemas in a list: `allOf`, `anyOf`, `oneOf`, or `items` that are one. */
export function schemasIn(path: string, schema: JsonObject, name: string): readonly LocatedSchema[] {
  return objectsAt(schema, name).map((part, index) => [`${path}.${name}[${index}]`, part]);
}

function located(path: string, value: JsonValue | undefined): readonly LocatedSchema[] {
  return value !== undefined && isJsonObject(value) ? [[path, value]] : [];
}
