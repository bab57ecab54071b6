import { memoize } from '../meta/memoize.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { leadsTo } from './leads-to.ts';
import { isValidatedPart } from './validated-parts.ts';
import type { Field, ObjectSchema, Schema } from './model/schema.ts';
import { defaultStructural } from './structural/default-structural.ts';

/**
 * Applies the defaults of the schema to all messages in `value`; defaults that depend on other
 * fields belong to strategies. Mutates `value`, which must have been decoded with the same schema.
 * Nested messages that get new fields are replaced, so that fields stay in schema order.
 * Idempotent. Removes the nulls that a custom kind does not allow, unless `keepsNulls` is true.
 */
export function applyDefaults(schema: ObjectSchema, value: JsonObject, keepsNulls = false): void {
  if (schema.structural) return defaultStructural(schema.structural, value, keepsNulls);
  const filled = fill(planOf(schema), value);
  if (filled !== value) replaceEntries(value, filled);
}

/** Applies defaults to any part of an object; returns the part or its replacement. */
export function defaultPart(schema: Schema, value: JsonValue): JsonValue {
  return fillerOf(schema)(value);
}

/** A field with a default, or with defaults below it. */
interface DefaultStep {
  readonly name: string;
  readonly default: JsonValue | undefined;
  readonly when: Field['defaultWhen'];
  /** If true, '' and 0 count as absent. */
  readonly fillsEmpty: boolean;
  readonly inner: (value: JsonValue) => JsonValue;
}

interface DefaultsPlan {
  readonly steps: readonly DefaultStep[];
  readonly fields: ObjectSchema['fields'];
}

/** A pure cache: plans depend on schemas only. */
const planOf = memoize(({ fields }: ObjectSchema): DefaultsPlan => {
  const steps = [...fields.values()].filter((field) => leadsTo(field, hasDefault)).map(compileStep);
  return { steps, fields };
});

function compileStep(field: Field): DefaultStep {
  let inner: DefaultStep['inner'] | undefined;
  return {
    name: field.name,
    default: field.default,
    when: field.defaultWhen,
    fillsEmpty: !field.explicit,
    // Compiled on first use, because messages recurse.
    inner: (value) => {
      inner ??= fillerOf(field.schema);
      return inner(value);
    },
  };
}

function hasDefault(field: Field): boolean {
  return field.default !== undefined;
}

function fillerOf(schema: Schema): DefaultStep['inner'] {
  if (schema.type === 'object') {
    const plan = planOf(schema);
    return (value) => (isJsonObject(value) && !isValidatedPart(value, schema) ? fill(plan, value) : value);
  }
  if (schema.type === 'list') {
    const item = fillerOf(schema.items);
    return (value) => (Array.isArray(value) ? fillItems(value, item) : value);
  }
  if (schema.type === 'map') {
    const item = fillerOf(schema.values);
    return (value) => (isJsonObject(value) ? fillEntries(value, item) : value);
  }
  return (value) => value;
}

function fillItems(items: JsonValue[], fillItem: DefaultStep['inner']): JsonValue[] {
  for (let index = 0; index < items.length; index++) items[index] = fillItem(items[index] ?? null);
  return items;
}

function fillEntries(map: JsonObject, fillItem: DefaultStep['inner']): JsonObject {
  // All keys exist as own properties, also `__proto__`; only values change.
  for (const [key, item] of Object.entries(map)) {
    const filled = fillItem(item);
    if (filled !== item) Object.defineProperty(map, key, { value: filled });
  }
  return map;
}

/** Returns the same object, mutated, or a new one in schema order if a field was added. */
function fill({ steps, fields }: DefaultsPlan, value: JsonObject): JsonObject {
  let added = false;
  for (const step of steps) {
    const given = value[step.name];
    if (given !== undefined && !(step.default !== undefined && isMissing(given, step))) {
      if (given !== null) value[step.name] = step.inner(given);
    } else if (step.default !== undefined && holds(step, value)) {
      added ||= given === undefined;
      value[step.name] = step.inner(copyJson(step.default));
    }
  }
  return added ? inOrder(fields, value) : value;
}

function holds({ when }: DefaultStep, value: JsonObject): boolean {
  return when === undefined || value[when.field] === when.value;
}

function isMissing(given: JsonValue, { fillsEmpty }: DefaultStep): boolean {
  return given === null || (fillsEmpty && (given === '' || given === 0));
}

function inOrder(fields: ObjectSchema['fields'], value: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const key of Object.keys(value)) if (!fields.has(key)) setOwn(ordered, key, value[key] ?? null);
  for (const name of fields.keys()) {
    const part = value[name];
    if (part !== undefined) ordered[name] = part;
  }
  return ordered;
}

/** Replaces the entries of `target` by the entries of `source`, in their order. */
function replaceEntries(target: JsonObject, source: JsonObject): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}
