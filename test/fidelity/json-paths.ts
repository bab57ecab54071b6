import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/meta/json-value.ts';

/** Where a value is in a document: keys of objects and indexes of lists, the outermost first. */
export type JsonPath = readonly (string | number)[];

/** The paths of all values inside a value, outer ones first. */
export function pathsIn(value: JsonValue | undefined, above: JsonPath = []): JsonPath[] {
  return partsOf(value).flatMap(([key, part]) => [[...above, key], ...pathsIn(part, [...above, key])]);
}

/** The value at a path, if there is one. */
export function valueAt(value: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at)) at = typeof key === 'number' ? at[key] : undefined;
    else at = isJsonObject(at) ? getOwn(at, String(key)) : undefined;
  }
  return at;
}

/** The text at a path; '' where there is none. */
export function textAt(value: JsonValue | undefined, path: JsonPath): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}

/** A copy with a value at a path; what is missing on the way is made, and what is no container gives way. */
export function withValueAt(whole: JsonValue, path: JsonPath, value: JsonValue): JsonValue {
  const [key, ...below] = path;
  if (key === undefined) return value;
  const container = containerFor(whole, key);
  const part = below.length === 0 ? value : withValueAt(valueAt(container, [key]) ?? {}, below, value);
  if (Array.isArray(container)) container[Math.min(Number(key), container.length)] = part;
  else setOwn(container, String(key), part);
  return container;
}

/** A copy without the value at a path. */
export function withoutPath(whole: JsonValue, path: JsonPath): JsonValue {
  const copy = copyJson(whole);
  const above = valueAt(copy, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(above) && typeof key === 'number') above.splice(key, 1);
  else if (isJsonObject(above)) delete above[String(key)];
  return copy;
}

/** An object without the fields that are undefined. */
export function compact(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) setOwn(present, key, value);
  return present;
}

function partsOf(value: JsonValue | undefined): readonly (readonly [string | number, JsonValue])[] {
  if (Array.isArray(value)) return value.map((part, index) => [index, part] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function containerFor(value: JsonValue, key: string | number): JsonValue[] | JsonObject {
  if (Array.isArray(value) && typeof key === 'number') return [...value];
  if (typeof key === 'number') return [];
  return isJsonObject(value) ? { ...value } : {};
}
