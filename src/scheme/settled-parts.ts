import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from './schema.ts';

/** A cache, not state: a part that is not found is read, filled and checked again. */
const settled = new WeakMap<JsonObject, ObjectSchema>();

/**
 * Notes that a part of an object was read by this schema, has its defaults and is valid, and that nobody changes it from now on. Most
 * writes leave the larger part of an object as it is; what they share with the old object needs none of that again.
 */
export function settlePart(schema: ObjectSchema, part: JsonObject): void {
  settled.set(part, schema);
}

/** Whether a part, this very one, is settled: by this schema, where one is given. It may be shared, and must not be changed. */
export function isSettledPart(part: JsonObject, schema?: ObjectSchema): boolean {
  const by = settled.get(part);
  return by !== undefined && (schema === undefined || schema === by);
}
