import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { defaultPart } from '../scheme/apply-defaults.ts';
import { DecodeError } from '../scheme/model/decode-error.ts';
import { decodePart, hasTypeMeta } from '../scheme/decode-object.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { acceptsScalar } from './check-applied.ts';
import { equalValues } from './equal-values.ts';
import { type FieldEntry, type FieldSet, isEmptySet, noFields } from './field-set.ts';
import { mergeValues } from './merge-values.ts';
import { fieldElement, isOpen, isSameItem, itemElement, omittedKey, type PathElement } from './path-element.ts';

/** A configuration to be applied to a live value. */
export interface SinglePassInput {
  readonly schema: ObjectSchema;
  readonly applied: JsonObject;
  readonly live: JsonObject | undefined;
  /** The fields that the configuration probably sets: those of the previous apply. */
  readonly expected: FieldSet;
  /**
   * Struct fields that are ignored. A field with nothing below it in this set is ignored with all
   * its parts.
   */
  readonly ignored: FieldSet;
}

/** The result of the single-pass merge. */
interface SinglePassMerge {
  /** The same result as that of `mergeValues`. */
  readonly value: JsonObject;
  /**
   * The same, but with the live value of each leaf that differs only in form, such as a quantity or
   * an object without its defaults.
   */
  readonly normalised: JsonObject;
  /** True if the configuration sets exactly the expected fields. */
  readonly asExpected: boolean;
}

/**
 * Checks and merges an ordinary configuration in one pass, and compares its fields with the
 * expected ones. Undefined if the configuration is invalid, which `checkApplied` reports, or
 * unusual, for example with nulls.
 */
export function mergeInOnePass({
  schema,
  applied,
  live,
  expected,
  ignored,
}: SinglePassInput): SinglePassMerge | undefined {
  const walk: Walk = { ordinary: true, asExpected: true, leaf: false, entries: 0, normalised: applied };
  const value = rootVisitOf(schema)(walk, applied, live, expected, ignored);
  const { normalised } = walk;
  if (!walk.ordinary || !isJsonObject(value) || !isJsonObject(normalised)) return undefined;
  // A configuration of empty objects alone sets no fields.
  return { value, normalised, asExpected: walk.leaf ? isEmptySet(expected) : walk.asExpected };
}

interface Walk {
  ordinary: boolean;
  asExpected: boolean;
  /**
   * The result of the last visit: `leaf` if the value has no parts, else the number of fields one
   * level below it.
   */
  leaf: boolean;
  entries: number;
  /** The value of the last visit, in the form of the live value. */
  normalised: JsonValue;
}

/**
 * Visits one value and returns the merged one. `expected` contains the fields below it; undefined
 * if they are not compared, as within atomic values.
 */
type Visit = (
  walk: Walk,
  applied: JsonValue,
  live: JsonValue | undefined,
  expected: FieldSet | undefined,
  ignored: FieldSet,
) => JsonValue;

/** Pure caches: a visit follows from its schema alone. */
const visits = new WeakMap<Schema, Visit>();
const rootVisits = new WeakMap<ObjectSchema, Visit>();

function rootVisitOf(schema: ObjectSchema): Visit {
  let visit = rootVisits.get(schema);
  if (!visit) {
    visit = structVisit(schema, true);
    rootVisits.set(schema, visit);
  }
  return visit;
}

function visitOf(schema: Schema): Visit {
  let visit = visits.get(schema);
  if (!visit) {
    visit = isOpen(schema) ? openVisit(schema) : leafVisit(schema);
    visits.set(schema, visit);
  }
  return visit;
}

function openVisit(schema: ObjectSchema | MapSchema | ListSchema): Visit {
  if (schema.type === 'object') return structVisit(schema, hasTypeMeta(schema));
  return schema.type === 'map' ? mapVisit(schema) : listVisit(schema);
}

function strange(walk: Walk, applied: JsonValue): JsonValue {
  walk.ordinary = false;
  return applied;
}

function leafVisit(schema: Schema): Visit {
  const check = leafCheck(schema);
  return (walk, applied, live) => {
    if (applied === null || !check(walk, applied)) return strange(walk, applied);
    walk.leaf = true;
    walk.normalised = applied;
    if (live === undefined || live === null) return applied;
    if (equalValues(live, applied)) return (walk.normalised = live);
    if (equalValues(live, storedForm(schema, applied))) walk.normalised = live;
    return applied;
  };
}

/** Converts a leaf to its stored form; undefined if it cannot be decoded. */
function storedForm(schema: Schema, applied: JsonValue): JsonValue | undefined {
  try {
    return defaultPart(schema, decodePart(schema, applied));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/**
 * Creates the check of a leaf: false for a value of a wrong type. Atomic values are also searched
 * for parts that cannot be decoded.
 */
function leafCheck(schema: Schema): (walk: Walk, applied: JsonValue) => boolean {
  if (schema.type === 'object') {
    const visit = structVisit(schema, hasTypeMeta(schema));
    return (walk, applied) => (visit(walk, applied, undefined, undefined, noFields), true);
  }
  if (schema.type === 'map') {
    const visit = mapVisit(schema);
    return (walk, applied) => (visit(walk, applied, undefined, undefined, noFields), true);
  }
  if (schema.type === 'list') {
    const item = lazyVisit(schema.items);
    return (walk, applied) => {
      if (!Array.isArray(applied)) return false;
      for (const part of applied) item(walk, part, undefined, undefined, noFields);
      return true;
    };
  }
  const { type } = schema;
  return (_walk, applied) => acceptsScalar(type, applied);
}

/** Creates a visit that is looked up on first use, because schemas can be recursive. */
function lazyVisit(schema: Schema): Visit {
  let visit: Visit | undefined;
  return (walk, applied, live, expected, ignored) => {
    visit ??= visitOf(schema);
    return visit(walk, applied, live, expected, ignored);
  };
}

/** The visit of a struct field, with its path element. */
interface FieldVisit {
  readonly element: PathElement;
  readonly visit: Visit;
}

function structVisit(schema: ObjectSchema, typeMeta: boolean): Visit {
  const steps = new Map<string, FieldVisit>();
  for (const [name, field] of schema.fields) {
    steps.set(name, { element: fieldElement(name), visit: lazyVisit(field.schema) });
  }
  return (walk, applied, live, expected, ignored) => {
    if (!isJsonObject(applied) || schema.preserveUnknown) return strange(walk, applied);
    const before = isJsonObject(live) ? live : undefined;
    const keys = Object.keys(applied);
    const made = new MergedObject(before, applied);
    let entries = 0;
    for (const key of keys) {
      const value = applied[key] ?? null;
      const given = before && getOwn(before, key);
      const step = steps.get(key);
      walk.normalised = value;
      let after = value;
      if (step) {
        const entry = expected?.entries.get(step.element);
        const passed = ignored === noFields ? undefined : ignored.entries.get(step.element);
        const counts = expected !== undefined && !(passed && isEmptySet(passed.below));
        after = step.visit(
          walk,
          value,
          given,
          counts ? (entry?.below ?? noFields) : undefined,
          passed?.below ?? noFields,
        );
        if (counts && !(walk.leaf && passed?.member)) entries += countField(walk, entry);
      } else if (!typeMeta || (key !== 'kind' && key !== 'apiVersion')) return strange(walk, applied);
      made.put(key, given, after, walk.normalised);
    }
    leave(walk, keys.length === 0, entries, expected);
    return made.end(walk);
  };
}

/**
 * Builds the two results for one object: the merged one, and the one in the form of the live
 * object. Copies the live object only on a change.
 */
class MergedObject {
  readonly #before: JsonObject | undefined;
  readonly #applied: JsonObject;
  #merged: JsonObject | undefined;
  #normalised: JsonObject | undefined;

  constructor(before: JsonObject | undefined, applied: JsonObject) {
    this.#before = before;
    this.#applied = applied;
  }

  put(key: string, given: JsonValue | undefined, after: JsonValue, normalised: JsonValue): void {
    if (!this.#before) return;
    if (after !== given) setOwn((this.#merged ??= { ...this.#before }), key, after);
    if (normalised !== given) setOwn((this.#normalised ??= { ...this.#before }), key, normalised);
  }

  end(walk: Walk): JsonObject {
    const base = this.#before ?? this.#applied;
    walk.normalised = this.#normalised ?? base;
    return this.#merged ?? base;
  }
}

/**
 * Compares a struct field with the expected fields. Returns 1 if the field counts: it is a member
 * if it is a leaf, and does not count if it has no fields below it.
 */
function countField(walk: Walk, entry: FieldEntry | undefined): number {
  if (!walk.leaf && walk.entries === 0) return 0;
  if (!entry || entry.member !== walk.leaf || (walk.leaf && !isEmptySet(entry.below))) walk.asExpected = false;
  return 1;
}

/**
 * Compares a map key or a list item with the expected fields. Keys and items are always members.
 */
function countMember(walk: Walk, entry: FieldEntry | undefined): void {
  if (!entry?.member || (walk.leaf && !isEmptySet(entry.below))) walk.asExpected = false;
}

function leave(walk: Walk, leaf: boolean, entries: number, expected: FieldSet | undefined): void {
  walk.leaf = leaf;
  walk.entries = entries;
  if (expected && !leaf && entries !== expected.entries.size) walk.asExpected = false;
}

function mapVisit(schema: MapSchema): Visit {
  const visit = lazyVisit(schema.values);
  return (walk, applied, live, expected, ignored) => {
    if (!isJsonObject(applied)) return strange(walk, applied);
    if (!isEmptySet(ignored)) walk.asExpected = false;
    const before = isJsonObject(live) ? live : undefined;
    const keys = Object.keys(applied);
    const made = new MergedObject(before, applied);
    for (const key of keys) {
      const entry = expected?.entries.get(fieldElement(key));
      const given = before && getOwn(before, key);
      const after = visit(walk, applied[key] ?? null, given, expected && (entry?.below ?? noFields), noFields);
      if (expected) countMember(walk, entry);
      made.put(key, given, after, walk.normalised);
    }
    leave(walk, keys.length === 0, keys.length, expected);
    return made.end(walk);
  };
}

function listVisit(schema: ListSchema): Visit {
  const visit = lazyVisit(schema.items);
  return (walk, applied, live, expected, ignored) => {
    if (!Array.isArray(applied)) return strange(walk, applied);
    if (!isEmptySet(ignored)) walk.asExpected = false;
    const before = isAligned(schema, applied, live) ? live : undefined;
    const seen = new Set<PathElement>();
    let merged: JsonValue[] | undefined;
    let normalised: JsonValue[] | undefined;
    for (let index = 0; index < applied.length; index++) {
      const item = applied[index] ?? null;
      const element = isItem(schema, item) ? itemElement(schema, item) : undefined;
      if (element === undefined || seen.has(element)) return strange(walk, applied);
      seen.add(element);
      const entry = expected?.entries.get(element);
      const given = before?.[index];
      const after = visit(walk, item, given, expected && (entry?.below ?? noFields), noFields);
      if (expected) countMember(walk, entry);
      if (before && after !== given) {
        merged ??= [...before];
        merged[index] = after;
      }
      if (before && walk.normalised !== given) {
        normalised ??= [...before];
        normalised[index] = walk.normalised;
      }
    }
    leave(walk, false, applied.length, expected);
    const value = before ? (merged ?? before) : live === undefined ? applied : mergeValues(schema, live, applied);
    walk.normalised = before ? (normalised ?? before) : value;
    return value;
  };
}

/**
 * True if both lists have the same items in the same order, so that they can be merged by index.
 */
function isAligned(schema: ListSchema, applied: JsonValue[], live: JsonValue | undefined): live is JsonValue[] {
  if (!Array.isArray(live) || live.length !== applied.length) return false;
  return applied.every((item, index) => isSameItem(schema, item, live[index] ?? null));
}

function isItem(list: ListSchema, item: JsonValue): boolean {
  if (list.listType !== 'map') return typeof item !== 'object';
  return isJsonObject(item) && omittedKey(list, item) === undefined;
}
