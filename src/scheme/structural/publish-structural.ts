import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isTrue, objectAt, stringsAt } from '../../meta/read-field.ts';
import { hasExtension } from '../model/structural-schema.ts';

/** The parts of a schema that OpenAPI 2 does not have, or that its readers misunderstand. */
const notInVersion2: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'allOf', 'not']);

/** The parts that say which values a schema has. */
const shapeParts: ReadonlySet<string> = new Set(['type', 'items', 'properties', 'additionalProperties', 'required']);

/**
 * A structural schema as OpenAPI publishes it. Version 3 has it as it was written. Readers of
 * version 2 take values of other shapes for mistakes, so that it says nothing of the shape of a
 * value that may be null, or have fields that no schema knows. An object inside another one gets
 * `ownFields`, which every object has.
 */
export function publishStructural(source: JsonObject, version: 2 | 3, ownFields: JsonObject): JsonObject {
  return version === 3
    ? withObjectFields(source, ownFields, true)
    : withObjectFields(inVersion2(source), ownFields, false);
}

/** Adds the fields of embedded objects. Returns the same object if there are none. */
function withObjectFields(source: JsonObject, fields: JsonObject, evenIfOpen: boolean): JsonObject {
  const within = (part: JsonValue): JsonValue =>
    isJsonObject(part) ? withObjectFields(part, fields, evenIfOpen) : part;
  const whole = mapSubschemas(source, within);
  if (!hasExtension(source, 'embedded-resource')) return whole;
  if (!evenIfOpen && hasExtension(source, 'preserve-unknown-fields')) return whole;
  const required = stringsAt(source, 'required');
  return {
    ...whole,
    properties: { ...objectAt(whole, 'properties'), ...fields },
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
  };
}

/** Maps the schemas of properties, items and other fields. Returns the same object if all stay. */
function mapSubschemas(source: JsonObject, map: (part: JsonValue) => JsonValue): JsonObject {
  const changed = ['items', 'additionalProperties', 'properties'].flatMap((name) => {
    const part = source[name];
    if (part === undefined) return [];
    const mapped = name === 'properties' && isJsonObject(part) ? mapValues(part, map) : map(part);
    return mapped === part ? [] : [[name, mapped] as const];
  });
  return changed.length === 0 ? source : { ...source, ...Object.fromEntries(changed) };
}

function mapValues(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => [name, map(value)] as const);
  return entries.every(([name, value]) => object[name] === value) ? object : Object.fromEntries(entries);
}

function inVersion2(source: JsonObject): JsonObject {
  const isOpen =
    ['preserve-unknown-fields', 'int-or-string'].some((name) => hasExtension(source, name)) ||
    isTrue(source, 'nullable');
  return Object.fromEntries(
    Object.entries(source)
      .filter(([name]) => !notInVersion2.has(name) && !(isOpen && shapeParts.has(name)))
      .map(([name, part]) => [name, partInVersion2(name, part)]),
  );
}

function partInVersion2(name: string, part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  if (name === 'properties') {
    return Object.fromEntries(
      Object.entries(part).map(([field, schema]) => [field, isJsonObject(schema) ? inVersion2(schema) : schema]),
    );
  }
  return name === 'items' || name === 'additionalProperties' ? inVersion2(part) : part;
}
