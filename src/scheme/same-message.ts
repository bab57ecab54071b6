import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../meta/quantity.ts';
import { sameValue } from '../meta/read-field.ts';
import { schemaOf } from './schema-of.ts';
import type { Field, ObjectSchema, Schema } from './model/schema.ts';

/** Compares two values of a field; either may be missing. */
export type SameValue = (left: JsonValue | undefined, right: JsonValue | undefined) => boolean;

/**
 * Returns a comparison for values of a built-in message that follows Go's comparison of structs
 * in kube-apiserver: quantities are compared by amount, an empty list or map equals a missing one,
 * but an empty optional message differs from a missing one.
 */
export function sameMessage(messageName: string): SameValue {
  return (left, right) => sameOptional(schemaOf(messageName), left, right);
}

/** Optional messages are pointers in Go; a pointer to an empty struct is not nil. */
function sameOptional(schema: ObjectSchema, left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  return isJsonObject(left) && isJsonObject(right)
    ? sameFields(schema, left, right)
    : !isJsonObject(left) && !isJsonObject(right);
}

function sameFields(schema: ObjectSchema, left: JsonObject, right: JsonObject): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) {
    if (!sameField(schema.fields.get(name), getOwn(left, name), getOwn(right, name))) return false;
  }
  return true;
}

/** Compares two values of a field as `sameMessage` does, or as JSON if no schema describes it. */
export function sameField(
  field: Field | undefined,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (left === right) return true;
  if (!field) return sameValue(left, right);
  const { schema } = field;
  if (schema.type !== 'object') return samePlain(schema, left, right);
  return field.alwaysPresent ? sameFields(schema, objectOf(left), objectOf(right)) : sameOptional(schema, left, right);
}

/** Compares values that are not pointers in Go: items of lists and maps, and scalars. */
function samePlain(schema: Schema, left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (schema.type === 'object') return isJsonObject(left) && isJsonObject(right) && sameFields(schema, left, right);
  if (schema.type === 'list') return sameList(schema.items, listOf(left), listOf(right));
  if (schema.type === 'map') return sameMap(schema.values, objectOf(left), objectOf(right));
  return schema.type === 'quantity' ? sameQuantity(left, right) : sameValue(left, right);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sameList(items: Schema, left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => samePlain(items, item, right[index]));
}

function sameMap(values: Schema, left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && samePlain(values, left[name], right[name]))
  );
}

function sameQuantity(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return sameValue(left, right);
  const [a, b] = [parseQuantity(left), parseQuantity(right)];
  return 'error' in a || 'error' in b ? false : compareQuantities(a, b) === 0;
}
