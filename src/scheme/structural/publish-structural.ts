import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isTrue } from '../../meta/read-field.ts';
import { hasExtension } from '../model/structural-schema.ts';

/** The parts of a schema that OpenAPI 2 does not have, or that its readers misunderstand. */
const notInVersion2: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'allOf', 'not']);

/** The parts that say which values a schema has. */
const shapeParts: ReadonlySet<string> = new Set(['type', 'items', 'properties', 'additionalProperties', 'required']);

/**
 * A structural schema as OpenAPI publishes it. Version 3 has it as it was written. Readers of
 * version 2 take values of other shapes for mistakes, so that it says nothing of the shape of a
 * value that may be null, or have fields that no schema knows.
 */
export function publishStructural(source: JsonObject, version: 2 | 3): JsonObject {
  return version === 3 ? source : inVersion2(source);
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
