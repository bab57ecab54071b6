import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from './model/schema.ts';

/** A pure cache: a part that is not found is decoded, defaulted and validated again. */
const validatedBy = new WeakMap<JsonObject, ObjectSchema>();

/**
 * Marks a part of an object as decoded with this schema, defaulted and valid. It must not be
 * mutated afterwards. Most writes leave the larger part of an object unchanged and share it with
 * the old object, so that it need not be processed again.
 */
export function markValidated(schema: ObjectSchema, part: JsonObject): void {
  validatedBy.set(part, schema);
}

/**
 * Reports whether this very part is marked, by `schema` if given. A marked part may be shared and
 * must not be mutated.
 */
export function isValidatedPart(part: JsonObject, schema?: ObjectSchema): boolean {
  const by = validatedBy.get(part);
  return by !== undefined && (schema === undefined || schema === by);
}
