import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { difference, type FieldSet, isEmptySet, union } from './field-set.ts';

/**
 * A write in the version of its request, and the changes that a conversion leaves in another
 * version.
 */
interface DroppedChanges {
  /** The schema of the request. */
  readonly schema: ObjectSchema;
  /** The changes in the version of the request. */
  readonly own: Comparison;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * Adds to the changes in another version the changes of fields that a conversion drops because this
 * version does not declare them. Its managers can own them since an earlier schema did. Only for
 * conversions that do not move fields. Both objects are only walked if a change is missing.
 */
export function withDroppedChanges(seen: Comparison, { schema, own, before, after }: DroppedChanges): Comparison {
  const added = difference(own.added, seen.added);
  const modified = difference(own.modified, seen.modified);
  const removed = difference(own.removed, seen.removed);
  if ([added, modified, removed].every(isEmptySet)) return seen;
  const left = union(compareValues(schema, {}, before).added, compareValues(schema, {}, after).added);
  const dropped = (missing: FieldSet): FieldSet => difference(missing, left);
  return {
    added: union(seen.added, dropped(added)),
    modified: union(seen.modified, dropped(modified)),
    removed: union(seen.removed, dropped(removed)),
  };
}
