import { memoize } from '../meta/memoize.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { emptyValue } from '../scheme/empty-value.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { equalValues } from '../scheme/model/equal-values.ts';
import { type FieldSet, FieldSetBuilder, noFields } from './field-set.ts';
import { partSchema } from './part-schema.ts';
import { fieldElement, isOpen, itemElement, type PathElement } from './path-element.ts';
import { appendTo } from '../meta/group-by.ts';

/**
 * The paths in which two values differ. A container with content is a member only if one side lacks
 * it.
 */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The comparison of equal values. */
const noDifference: Comparison = Object.freeze({ added: noFields, modified: noFields, removed: noFields });

/**
 * Compares two values of one schema. Atomic structs, maps and lists are leaves. A field that a Go
 * struct always has is treated as present and empty if one side omits it.
 */
export function compareValues(schema: Schema, live: JsonValue, next: JsonValue): Comparison {
  if (live === next) return noDifference;
  const builders: Builders = {
    added: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    removed: new FieldSetBuilder(),
  };
  compareParts(schema, live, next, builders);
  return { added: builders.added.build(), modified: builders.modified.build(), removed: builders.removed.build() };
}

/** The builders of the three sets, all at the same path. */
interface Builders {
  readonly added: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
}

type Side = JsonValue | undefined;

/** Compares one path element, then the parts below it. A side that lacks the value is undefined. */
function compareAt(element: PathElement, schema: Schema, live: Side, next: Side, builders: Builders): void {
  if (live === next) return;
  if (isReplaced(schema, live, next)) builders.modified.add(element);
  else if (isLeaf(schema, live, next)) {
    if (live === undefined) builders.added.add(element);
    else if (next === undefined) builders.removed.add(element);
    else if (!equalValues(live, next)) builders.modified.add(element);
    return;
  }
  if (live === undefined) {
    builders.added.add(element);
    compareParts(schema, live, next, { ...nothingElse, added: builders.added.below(element) });
  } else if (next === undefined) {
    builders.removed.add(element);
    compareParts(schema, live, next, { ...nothingElse, removed: builders.removed.below(element) });
  } else if (!equalValues(live, next)) {
    // Most parts are equal in most writes; testing for equality is cheaper than finding
    // differences.
    compareParts(schema, live, next, {
      added: builders.added.below(element),
      modified: builders.modified.below(element),
      removed: builders.removed.below(element),
    });
  }
}

/**
 * If one side lacks a part, the whole part was added or removed. The other builders get no paths
 * then, so that one empty builder is shared.
 */
const nothing = new FieldSetBuilder();
const nothingElse: Builders = { added: nothing, modified: nothing, removed: nothing };

function compareParts(schema: Schema, live: Side, next: Side, builders: Builders): void {
  if (schema.type === 'object') compareStructs(schema, objectOf(live), objectOf(next), builders);
  else if (schema.type === 'map') compareMaps(schema, objectOf(live), objectOf(next), builders);
  else if (schema.type === 'list') compareLists(schema, live, next, builders);
}

/** Compares the fields that a side has, not all that the schema has: most are absent. */
function compareStructs(
  schema: ObjectSchema,
  live: JsonObject | undefined,
  next: JsonObject | undefined,
  builders: Builders,
): void {
  for (const name in next) compareField(schema, name, live, next, builders);
  for (const name in live) if (!next || !Object.hasOwn(next, name)) compareField(schema, name, live, next, builders);
  // If both sides are structs, a field that neither has is equal.
  if (live && next) return;
  const only = live ?? next ?? {};
  for (const name of alwaysPresentIn(schema)) {
    if (!Object.hasOwn(only, name)) compareField(schema, name, live, next, builders);
  }
}

function compareField(
  schema: ObjectSchema,
  name: string,
  live: JsonObject | undefined,
  next: JsonObject | undefined,
  builders: Builders,
): void {
  const field = schema.fields.get(name);
  if (field) {
    const left = live && sideOf(field, live);
    const right = next && sideOf(field, next);
    if (left !== right && !isNothing(field, left, right))
      compareAt(fieldElement(name), field.schema, left, right, builders);
    return;
  }
  const part = partSchema(schema, name);
  if (part) compareAt(fieldElement(name), part, live && getOwn(live, name), next && getOwn(next, name), builders);
}

/** A pure cache: the names follow from the schema alone. */
const alwaysPresentIn = memoize((schema: ObjectSchema): readonly string[] =>
  [...schema.fields.values()].filter((field) => field.alwaysPresent).map(({ name }) => name),
);

/**
 * True if one side lacks a list or a map and the other has an empty one. Both are stored alike, as
 * a missing field, unless the field is `alwaysPresent`.
 */
export function isNothing({ schema, alwaysPresent, keepsEmpty }: Field, left: Side, right: Side): boolean {
  if (alwaysPresent || keepsEmpty || (left !== undefined && right !== undefined)) return false;
  return (schema.type === 'list' || schema.type === 'map') && !hasParts(left) && !hasParts(right);
}

/** The value of a field; an empty one if a struct always has the field and it is missing. */
export function sideOf(field: Field, object: JsonObject): Side {
  const value = getOwn(object, field.name);
  if (value !== undefined) return value;
  if (!field.alwaysPresent) return undefined;
  return field.schema.type === 'object' ? {} : emptyValue(field.schema);
}

function compareMaps(
  schema: MapSchema,
  live: JsonObject | undefined,
  next: JsonObject | undefined,
  builders: Builders,
): void {
  const keys = keysOf(live, next);
  // The keys of one large map would drive the names of all fields out of their cache.
  const elementOf = keys.length > manyKeys ? keyOfLargeMap : fieldElement;
  for (const key of keys) {
    compareAt(elementOf(key), schema.values, live && getOwn(live, key), next && getOwn(next, key), builders);
  }
}

/** Maps of real objects have fewer keys. */
const manyKeys = 1_000;

function keyOfLargeMap(key: string): PathElement {
  return `f:${key}`;
}

function keysOf(live: JsonObject | undefined, next: JsonObject | undefined): readonly string[] {
  if (!live) return next ? Object.keys(next) : [];
  if (!next) return Object.keys(live);
  return [...new Set([...Object.keys(live), ...Object.keys(next)])];
}

function compareLists(schema: ListSchema, live: Side, next: Side, builders: Builders): void {
  const left = itemsOf(schema, live);
  const right = itemsOf(schema, next);
  for (const [element, items] of left) compareItems(element, schema.items, items, right.get(element) ?? [], builders);
  for (const [element, items] of right) {
    if (!left.has(element)) compareItems(element, schema.items, [], items, builders);
  }
}

/**
 * Groups items by path element. An update can write duplicate items. Items without an identity are
 * ignored, because no manager can own them.
 */
function itemsOf(schema: ListSchema, value: Side): Map<PathElement, JsonValue[]> {
  const items = new Map<PathElement, JsonValue[]>();
  if (!Array.isArray(value)) return items;
  for (const item of value) {
    const element = itemElement(schema, item);
    if (element === undefined) continue;
    appendTo(items, element, item);
  }
  return items;
}

/**
 * Compares the items of one path element. Duplicate items are compared as one leaf: no manager can
 * own a part of one of them.
 */
function compareItems(
  element: PathElement,
  schema: Schema,
  live: readonly JsonValue[],
  next: readonly JsonValue[],
  builders: Builders,
): void {
  const [left, right] = [live.length > 1 ? undefined : live[0], next.length > 1 ? undefined : next[0]];
  if (live.length < 2 && next.length < 2) compareAt(element, schema, left, right, builders);
  else if (live.length === 0) builders.added.add(element);
  else if (next.length === 0) builders.removed.add(element);
  else if (!equalValues([...live], [...next])) {
    builders.modified.add(element);
    compareParts(schema, left, right, {
      added: builders.added.below(element),
      modified: builders.modified.below(element),
      removed: builders.removed.below(element),
    });
  }
}

/**
 * True if an object of the free type takes the place of a list or a scalar, or the reverse: the
 * whole value changes, and the parts of the object are added or removed. A null in place of an
 * object only removes them.
 */
function isReplaced(schema: Schema, live: Side, next: Side): boolean {
  if (schema.type !== 'map' || !schema.undescribed || !isOpen(schema)) return false;
  if (live === undefined || next === undefined || live === null || next === null) return false;
  return isJsonObject(live) !== isJsonObject(next);
}

/**
 * True if the path has no parts on either side. Such a leaf still distinguishes null from an empty
 * container.
 */
export function isLeaf(schema: Schema, live: Side, next: Side): boolean {
  if (!isOpen(schema) || (schema.type === 'map' && schema.undescribed && !isJsonObject(live ?? next))) return true;
  return !(hasParts(live) || hasParts(next));
}

function hasParts(value: Side): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function objectOf(value: Side): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
