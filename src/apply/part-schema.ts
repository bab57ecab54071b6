import { undescribed } from '../scheme/structural/custom-kind-schema.ts';
import type { MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';

/**
 * Returns the schema of one key of an object: the schema of the field, or of all keys of a map, or
 * the free type where unknown fields are kept. Undefined for a field that is not allowed.
 */
export function partSchema(schema: ObjectSchema | MapSchema, key: string): Schema | undefined {
  if (schema.type === 'map') return schema.values;
  return schema.fields.get(key)?.schema ?? (schema.preserveUnknown ? undescribed : undefined);
}
