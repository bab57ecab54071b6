import { memoize } from '../meta/memoize.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { leadsTo } from './leads-to.ts';
import { isValidatedPart } from './validated-parts.ts';
import type { Field, ObjectSchema, Schema } from './model/schema.ts';

/**
 * Replaces empty lists and maps by null in fields that are always written, and removes them from
 * `explicit` fields. kube-apiserver does the same when it stores an object, because its storage
 * format cannot represent an empty list. Runs after field managers are computed. Mutates `value`,
 * which was decoded with the same schema.
 */
export function dropEmptyLists(schema: ObjectSchema, value: JsonObject): void {
  for (const { name, drops, alwaysPresent, inner } of planOf(schema)) {
    const part = value[name];
    if (part === undefined || part === null) continue;
    if (!drops || !isEmpty(part)) inner(part);
    else if (alwaysPresent) value[name] = null;
    else delete value[name];
  }
}

/** A field that is such a list or map, or has one below it. */
interface FieldPlan {
  readonly name: string;
  readonly drops: boolean;
  readonly alwaysPresent: boolean;
  readonly inner: (value: JsonValue) => void;
}

/** A pure cache: plans depend on schemas only. */
const planOf = memoize((schema: ObjectSchema): readonly FieldPlan[] =>
  [...schema.fields.values()].filter((field) => leadsTo(field, isDropped)).map(compileStep),
);

function compileStep(field: Field): FieldPlan {
  let inner: FieldPlan['inner'] | undefined;
  return {
    name: field.name,
    drops: isDropped(field),
    alwaysPresent: field.alwaysPresent,
    // Compiled on first use, because messages recurse.
    inner: (value) => {
      inner ??= visitorOf(field.schema);
      inner(value);
    },
  };
}

function isDropped({ alwaysPresent, explicit, keepsEmpty, schema }: Field): boolean {
  return !keepsEmpty && (alwaysPresent || explicit) && (schema.type === 'list' || schema.type === 'map');
}

function visitorOf(schema: Schema): FieldPlan['inner'] {
  if (schema.type === 'object') {
    return (value) => {
      if (isJsonObject(value) && !isValidatedPart(value, schema)) dropEmptyLists(schema, value);
    };
  }
  if (schema.type !== 'list' && schema.type !== 'map') return () => {};
  const inner = visitorOf(schema.type === 'list' ? schema.items : schema.values);
  return (value) => {
    if (Array.isArray(value)) for (const item of value) inner(item);
    else if (isJsonObject(value)) for (const key of Object.keys(value)) inner(value[key] ?? null);
  };
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
