import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

const nothing: JsonObject = Object.freeze({});
const none: readonly never[] = Object.freeze([]);

/** The object at a path of fields; an empty frozen one if a field is missing. Never mutates. */
export function objectAt(object: JsonObject, name: string, ...path: readonly string[]): JsonObject {
  let at = getOwn(object, name);
  for (const next of path) at = isJsonObject(at) ? getOwn(at, next) : undefined;
  return isJsonObject(at) ? at : nothing;
}

/**
 * The objects in a list field; none if the field is missing. The list is not copied if all items
 * are objects.
 */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = getOwn(object, name);
  if (!Array.isArray(value)) return none;
  return value.every(isJsonObject) ? value : value.filter(isJsonObject);
}

/** A string field; '' if it is missing. */
export function stringAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}

/**
 * The strings in a list field; none if the field is missing. The list is not copied if all items
 * are strings.
 */
export function stringsAt(object: JsonObject, name: string): readonly string[] {
  const value = getOwn(object, name);
  if (!Array.isArray(value)) return none;
  return value.every(isText) ? value : value.filter(isText);
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

/**
 * A numeric field; undefined if it is missing. Integers beyond 2^53 lose precision, so use it for
 * comparisons only.
 */
export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = getOwn(object, name);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

/** Reports whether a field is `true`. */
export function isTrue(object: JsonObject, name: string): boolean {
  return getOwn(object, name) === true;
}

/** Reports whether a field has a value other than null. */
export function isSet(object: JsonObject, name: string): boolean {
  const value = getOwn(object, name);
  return value !== undefined && value !== null;
}

/** The string entries of a map field (labels, data), in document order. */
export function stringEntriesAt(object: JsonObject, name: string): readonly (readonly [string, string])[] {
  return [...eachStringAt(object, name)];
}

/** The same, read one after the other: a map of a hundred thousand takes longer than a turn may. */
export function* eachStringAt(object: JsonObject, name: string): Generator<readonly [string, string]> {
  const map = objectAt(object, name);
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (typeof value === 'string') yield [key, value];
  }
}

/** The object in a field; created if it is missing. Mutates. */
export function makeObjectAt(object: JsonObject, name: string): JsonObject {
  const value = getOwn(object, name);
  if (isJsonObject(value)) return value;
  const made: JsonObject = {};
  object[name] = made;
  return made;
}

/** Copies a field from `source` to `target`; deletes it if `source` has none. Mutates `target`. */
export function keepField(target: JsonObject, source: JsonObject, name: string): void {
  const value = getOwn(source, name);
  if (value === undefined) delete target[name];
  else target[name] = copyJson(value);
}

/**
 * Reports whether two values are equal; missing, null, an empty list and an empty map are equal,
 * as they are to clients.
 */
export function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isEmpty(left) && isEmpty(right)) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].every((name) => sameValue(getOwn(left, name), getOwn(right, name)));
  }
  return false;
}

/**
 * Returns a string that is equal for two values if and only if `sameValue` holds, for use as a
 * map key.
 */
export function identityOfValue(value: JsonValue | undefined): string {
  if (isEmpty(value)) return '';
  if (Array.isArray(value)) return `[${value.map(identityOfValue).join(',')}]`;
  if (!isJsonObject(value)) return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => [name, identityOfValue(value[name])] as const)
    .filter(([, identity]) => identity !== '');
  return members.length === 0 ? '' : `{${members.map(([name, of]) => `${JSON.stringify(name)}:${of}`).join(',')}}`;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
