import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { difference, type FieldSet, isEmptySet, union } from './field-set.ts';

/** A write in the version of its request, and what a conversion leaves in another version. */
interface DroppedChanges {
  /** The schema of the request. */
  readonly schema: ObjectSchema;
  /** The changes in the version of the request. */
  readonly own: Comparison;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * Adds to the changes in another version those of the fields that a conversion drops because this
 * version does not declare them. Its managers can own them since an earlier schema did. Only for
 * conversions that do not move fields.
 */
export function withDroppedChanges(seen: Comparison, { schema, own, before, after }: DroppedChanges): Comparison {
  if ([own.added, own.modified, own.removed].every(isEmptySet)) return seen;
  const left = union(compareValues(schema, {}, before).added, compareValues(schema, {}, after).added);
  const withDropped = (changed: FieldSet, all: FieldSet): FieldSet => union(changed, difference(all, left));
  return {
    added: withDropped(seen.added, own.added),
    modified: withDropped(seen.modified, own.modified),
    removed: withDropped(seen.removed, own.removed),
  };
}
