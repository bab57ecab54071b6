import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { isCheckedFormat } from '../../meta/value-format.ts';

/**
 * The formats that were added later, with the minor release. Values are checked only from the next
 * release on, so that a server that is rolled back accepts the same objects.
 */
const later: ReadonlyMap<string, number> = new Map([
  ['k8s-short-name', 34],
  ['k8s-long-name', 34],
]);

/** The first release that checks number formats, and only these for numbers. */
const firstOfNumbers = 36;

/** Reports whether a release checks a format for values of a type. */
function isChecked(type: string, format: string, release: number): boolean {
  const name = release < firstOfNumbers ? '' : type;
  return isCheckedFormat(name, format) && (later.get(format) ?? 0) < release;
}

/**
 * Returns a schema without the formats that a release, given by its minor number, does not check;
 * the same schema if it has none.
 */
export function withoutLaterFormats(schema: JsonObject, release: number): JsonObject {
  const type = stringAt(schema, 'type');
  const format = schema['format'];
  const isKept = typeof format !== 'string' || isChecked(type, format, release);
  const entries = Object.entries(schema).filter(([name]) => isKept || name !== 'format');
  const changed = entries.map(([name, part]) => [name, partOf(name, part, release)] as const);
  return isKept && changed.every(([name, part]) => part === schema[name]) ? schema : Object.fromEntries(changed);
}

const mapsOfSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);
const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']);

/** A part of a schema. Parts that are no schemas, such as defaults, stay unchanged. */
function partOf(name: string, part: JsonValue, release: number): JsonValue {
  const visit = (inner: JsonValue): JsonValue => (isJsonObject(inner) ? withoutLaterFormats(inner, release) : inner);
  if (schemas.has(name)) return Array.isArray(part) ? sameOr(part, part.map(visit)) : visit(part);
  if (!mapsOfSchemas.has(name) || !isJsonObject(part)) return part;
  const changed = Object.entries(part).map(([key, value]) => [key, visit(value)] as const);
  return changed.every(([key, value]) => value === part[key]) ? part : Object.fromEntries(changed);
}

function sameOr(part: JsonValue, visited: JsonValue[]): JsonValue {
  return Array.isArray(part) && visited.every((value, index) => value === part[index]) ? part : visited;
}
