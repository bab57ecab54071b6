import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { emptyValue } from '../scheme/empty-value.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/schema.ts';

/**
 * One step of a path in the spelling of FieldsV1: `f:<field or map key>`, `k:<key fields of a list item as JSON>`,
 * `v:<value of a set item as JSON>`, `i:<index>`. Equal strings are equal steps.
 */
export type PathElement = string;

/** Whether a value has parts that different managers can own. */
export function isOpen(schema: Schema): schema is ListSchema | MapSchema | ObjectSchema {
  if (schema.type === 'list') return schema.listType !== 'atomic';
  return (schema.type === 'object' || schema.type === 'map') && !schema.atomic;
}

/** Names whose steps are remembered: enough for the fields of all kinds, and for the usual labels. */
const rememberedNames = 20_000;
/** Longer names are keys of maps, and seldom come again. */
const rememberedLength = 64;

/** A cache, not state. A string that is put together anew has to be hashed anew at each look-up. */
const fieldElements = new Map<string, PathElement>();

/** The step to a field of a struct or a key of a map. */
export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name);
  if (known !== undefined) return known;
  const element = `f:${name}`;
  if (fieldElements.size < rememberedNames && name.length <= rememberedLength) fieldElements.set(name, element);
  return element;
}

/** The step to an item of a `set` list. */
function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** The step to an item of a `map` list, or undefined where the item lacks every key field or is no object. */
function keyElement(list: ListSchema, item: JsonValue): PathElement | undefined {
  if (!isJsonObject(item)) return undefined;
  let pairs = '';
  for (const { name, prefix, otherwise } of keyPlanOf(list)) {
    const value = keyOf(item, name, otherwise);
    if (value !== undefined) pairs += `${pairs === '' ? '' : ','}${prefix}${canonicalJson(value)}`;
  }
  return pairs === '' ? undefined : `k:{${pairs}}`;
}

/** A key that is null is no missing one: two items of which one says `null` are not the same. */
function keyOf(item: JsonObject, name: string, otherwise: JsonValue | undefined): JsonValue | undefined {
  const value = getOwn(item, name);
  return value === undefined ? otherwise : value;
}

/** What is known of one key field of the items of a list. */
interface KeyPlan {
  readonly name: string;
  /** How a step writes it: `"name":`. */
  readonly prefix: string;
  /**
   * A key field that an item leaves out counts with its default (`protocol: TCP` of a port), or as empty where it is
   * required or always written.
   */
  readonly otherwise: JsonValue | undefined;
  /** Whether an applied item must have it: it has no default, and nothing else asks for it. */
  readonly isDemanded: boolean;
}

/** A cache, not state: plans follow from schemas alone. */
const keyPlans = new WeakMap<ListSchema, readonly KeyPlan[]>();

function keyPlanOf(list: ListSchema): readonly KeyPlan[] {
  let plan = keyPlans.get(list);
  if (!plan) {
    const { items } = list;
    const fields = items.type === 'object' ? items.fields : undefined;
    plan = list.mapKeys.toSorted().map((name) => {
      const field = fields?.get(name);
      const isDemanded = field !== undefined && field.default === undefined && !field.required && !field.alwaysPresent;
      const empty = field && field.schema.type !== 'object' && !isDemanded ? emptyValue(field.schema) : undefined;
      return { name, prefix: `${JSON.stringify(name)}:`, otherwise: field?.default ?? empty, isDemanded };
    });
    keyPlans.set(list, plan);
  }
  return plan;
}

/** The step to an item of a list that is not atomic; undefined where the item does not identify itself. */
export function itemElement(list: ListSchema, item: JsonValue): PathElement | undefined {
  return list.listType === 'map' ? keyElement(list, item) : valueElement(item);
}

/** The key field that keeps an item of a `map` list from being applied, because it leaves it out. */
export function omittedKey(list: ListSchema, item: JsonObject): string | undefined {
  return keyPlanOf(list).find(({ name, isDemanded }) => isDemanded && getOwn(item, name) === undefined)?.name;
}

/** Whether two items are plainly the same one; where it is not plain, their steps may still be equal. */
export function isSameItem(list: ListSchema, a: JsonValue, b: JsonValue): boolean {
  if (list.listType !== 'map') return a === b;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  for (const { name, otherwise } of keyPlanOf(list)) {
    if (keyOf(a, name, otherwise) !== keyOf(b, name, otherwise)) return false;
  }
  return true;
}

/** Of the letters that steps begin with. */
const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** The order in which steps are written: fields, keys, values, indices, each by its text. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a[0] !== b[0]) return rank(a) - rank(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(element: PathElement): number {
  return ranks[element[0] ?? ''] ?? 4;
}

/** The step that a client's text stands for, in its canonical spelling; undefined where it is none. */
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
    // JSON.parse gives plain JSON and nothing else.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** JSON without spaces and with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`;
}
