import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * Fills in the defaults of a schema and removes nulls that it does not allow, in place. A null that
 * is not allowed counts as absent. Does nothing to values of wrong types, nor to objects that keep
 * everything, whose definitions have no defaults.
 */
export function defaultStructural(schema: StructuralSchema, value: JsonValue): void {
  if (!schema.keepsAll) defaultValue(schema, value, firstFields);
}

/** The first fields of a whole object; in its parts the names alone decide. */
const firstFields: readonly string[] = ['kind', 'apiVersion', 'metadata'];

function defaultValue(schema: StructuralSchema, value: JsonValue, first: readonly string[]): void {
  if (Array.isArray(value)) defaultItems(schema, value);
  else if (isJsonObject(value)) defaultFields(schema, value, first);
}

/** A pure cache: it depends on schemas only. */
const inNeed = new WeakMap<StructuralSchema, boolean>();

/** Reports whether a schema has a default, or a part with one. */
export function hasDefaults(schema: StructuralSchema): boolean {
  let has = inNeed.get(schema);
  if (has === undefined) {
    has = [...partsOf(schema)].some((part) => part.default !== undefined || hasDefaults(part));
    inNeed.set(schema, has);
  }
  return has;
}

function* partsOf({ properties, additional, items }: StructuralSchema): Iterable<StructuralSchema> {
  yield* properties.values();
  if (additional !== undefined && additional !== true) yield additional;
  if (items) yield items;
}

function defaultFields(schema: StructuralSchema, value: JsonObject, first: readonly string[]): void {
  let added = false;
  for (const [name, part] of schema.properties) {
    const given = getOwn(value, name);
    if (part.default === undefined || !isMissing(part, given)) continue;
    added ||= given === undefined;
    setOwn(value, name, copyJson(part.default));
  }
  if (added) sortFields(value, first);
  for (const key of Object.keys(value)) {
    const part = schema.properties.get(key) ?? schema.additional;
    if (part === undefined || part === true) continue;
    const given = value[key] ?? null;
    if (given === null && !part.nullable) delete value[key];
    else defaultValue(part, given, []);
  }
}

/** Sorts the fields by their names, after the first ones. */
function sortFields(value: JsonObject, first: readonly string[]): void {
  const placeOf = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  const entries = Object.entries(value).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  for (const [name] of entries) delete value[name];
  for (const [name, part] of entries) setOwn(value, name, part);
}

/** A null in a list stays, for validation: its place cannot be left out. */
function defaultItems({ items }: StructuralSchema, value: JsonValue[]): void {
  if (!items) return;
  for (const [index, item] of value.entries()) {
    if (item === null && !items.nullable && items.default !== undefined) value[index] = copyJson(items.default);
    defaultValue(items, value[index] ?? null, []);
  }
}

function isMissing({ nullable }: StructuralSchema, given: JsonValue | undefined): boolean {
  return given === undefined || (given === null && !nullable);
}
