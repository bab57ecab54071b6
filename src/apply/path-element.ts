import { escapeHtml } from '../json/escape-html.ts';
import { memoize } from '../meta/memoize.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { emptyValue } from '../scheme/empty-value.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';

/**
 * One element of a path, in the format of FieldsV1: `f:<field or map key>`, `k:<key fields of a
 * list item as JSON>`, `v:<value of a set item as JSON>`, `i:<index>`. Equal elements are equal
 * strings.
 */
export type PathElement = string;

/**
 * True if different managers can own parts of the value: lists, maps and structs that are not
 * atomic.
 */
export function isOpen(schema: Schema): schema is ListSchema | MapSchema | ObjectSchema {
  if (schema.type === 'list') return schema.listType !== 'atomic';
  return (schema.type === 'object' || schema.type === 'map') && !schema.atomic;
}

/** Returns the path element of a struct field or a map key. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the path element of an item of a `set` list. */
function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/**
 * Returns the path element of an item of a `map` list; undefined if the item is not an object or
 * has none of the key fields.
 */
function keyElement(list: ListSchema, item: JsonValue): PathElement | undefined {
  if (!isJsonObject(item)) return undefined;
  let pairs = '';
  for (const { name, prefix, otherwise } of keyPlanOf(list)) {
    const value = keyOf(item, name, otherwise);
    if (value !== undefined) pairs += `${pairs === '' ? '' : ','}${prefix}${canonicalJson(value)}`;
  }
  return pairs === '' ? undefined : `k:{${pairs}}`;
}

/** Returns a key field, or its default if it is missing. Null is a value, not a missing key. */
function keyOf(item: JsonObject, name: string, otherwise: JsonValue | undefined): JsonValue | undefined {
  const value = getOwn(item, name);
  return value === undefined ? otherwise : value;
}

/** Describes one key field of the items of a list. */
interface KeyPlan {
  readonly name: string;
  /** The key as it is written in a path element: `"name":`. */
  readonly prefix: string;
  /**
   * The value of a missing key: its default (`protocol: TCP` of a port), or the empty value if the
   * field is required or always written.
   */
  readonly otherwise: JsonValue | undefined;
  /**
   * True if an applied item must have the key: it has no default, is not required by the schema, is
   * not always present, and may not be empty.
   */
  readonly isDemanded: boolean;
}

/** A pure cache: a plan follows from its schema alone. */
const keyPlanOf = memoize(({ items, mapKeys }: ListSchema): readonly KeyPlan[] => {
  const fields = items.type === 'object' ? items.fields : undefined;
  return mapKeys.toSorted().map((name) => {
    const field = fields?.get(name);
    const isGiven = field === undefined || field.default !== undefined || field.required || field.alwaysPresent;
    const isDemanded = !isGiven && !field.emptyKey;
    const empty = field && field.schema.type !== 'object' && !isDemanded ? emptyValue(field.schema) : undefined;
    return { name, prefix: `${JSON.stringify(name)}:`, otherwise: field?.default ?? empty, isDemanded };
  });
});

/**
 * Returns the path element of an item of a list that is not atomic; undefined if the item has no
 * identity.
 */
export function itemElement(list: ListSchema, item: JsonValue): PathElement | undefined {
  return list.listType === 'map' ? keyElement(list, item) : valueElement(item);
}

/**
 * Returns the first demanded key field that an item of a `map` list lacks; undefined if it has them
 * all.
 */
export function omittedKey(list: ListSchema, item: JsonObject): string | undefined {
  return keyPlanOf(list).find(({ name, isDemanded }) => isDemanded && getOwn(item, name) === undefined)?.name;
}

/**
 * True if two items have identical keys. Scalars are compared by `===`, so that the path elements
 * of two items can be equal even if the result is false.
 */
export function isSameItem(list: ListSchema, a: JsonValue, b: JsonValue): boolean {
  if (list.listType !== 'map') return a === b;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  for (const { name, otherwise } of keyPlanOf(list)) {
    if (keyOf(a, name, otherwise) !== keyOf(b, name, otherwise)) return false;
  }
  return true;
}

/** The order of the first letters of path elements. */
const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** Compares two path elements: fields, keys, values, indices; each by text. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a[0] !== b[0]) return rank(a) - rank(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(element: PathElement): number {
  return ranks[element[0] ?? ''] ?? 4;
}

/** Parses a path element of a client to its canonical form; undefined if it is invalid. */
export function parseElement(text: string): PathElement | undefined {
  if (text.startsWith('f:')) return text;
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case 'k:': {
      const key = parsed(rest);
      return isJsonObject(key) && Object.keys(key).length > 0 ? `k:${canonicalJson(key)}` : undefined;
    }
    case 'v:': {
      const value = parsed(rest);
      return value === undefined ? undefined : `v:${canonicalJson(value)}`;
    }
    case 'i:':
      return /^\d{1,15}$/.test(rest) ? text : undefined;
    default:
      return undefined;
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns plain JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Encodes a value as JSON without spaces, with sorted keys and with Go's HTML escapes, so that
 * equal values have equal encodings.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return escapeHtml(JSON.stringify(value));
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${escapeHtml(JSON.stringify(key))}:${canonicalJson(value[key] ?? null)}`).join(',')}}`;
}
