import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { difference, equalSets, type FieldSet } from './field-set.ts';
import { decodeManagers, encodeManagers, type Manager, sameManager } from './managed-fields.ts';

/** An apply to one field of an object through a sub-resource of another kind (`scale`). */
interface FieldAssignment {
  /** The managedFields of the whole object. */
  readonly stored: JsonValue | undefined;
  /**
   * The applying manager, with the fields of the whole object that it owns through the
   * sub-resource.
   */
  readonly own: Manager;
  /** The fields of the whole object that the write changed. */
  readonly changed: FieldSet;
}

/**
 * Returns the `metadata.managedFields` of the whole object: the applying manager owns the fields
 * that it applied, and all other managers lose the changed fields.
 */
export function assignFieldOwner({ stored, own, changed }: FieldAssignment): JsonObject[] {
  const managers = (decodeManagers(stored) ?? []).map((manager) => {
    if (!sameManager(manager, own)) return { ...manager, fields: difference(manager.fields, changed) };
    const kept = equalSets(manager.fields, own.fields) && changed.entries.size === 0;
    return kept ? manager : own;
  });
  const known = managers.some((manager) => sameManager(manager, own));
  return encodeManagers(known ? managers : [...managers, own]);
}
