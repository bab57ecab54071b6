import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { difference, equalSets, type FieldSet } from './field-set.ts';
import { decodeManagers, encodeManagers, type Manager, sameManager } from './managed-fields.ts';

/** An apply to a part of an object that is seen through another kind (`scale`). */
interface FieldClaim {
  /** The managedFields of the whole object. */
  readonly stored: JsonValue | undefined;
  /** The applier, with the fields of the whole object that it owns through the part. */
  readonly own: Manager;
  /** What the write changed of the whole object. */
  readonly changed: FieldSet;
}

/** The `metadata.managedFields` of the whole object: the applier owns what it applied, and others lose what was changed. */
export function claimField({ stored, own, changed }: FieldClaim): JsonObject[] {
  const managers = (decodeManagers(stored) ?? []).map((manager) => {
    if (!sameManager(manager, own)) return { ...manager, fields: difference(manager.fields, changed) };
    const kept = equalSets(manager.fields, own.fields) && changed.entries.size === 0;
    return kept ? manager : own;
  });
  const known = managers.some((manager) => sameManager(manager, own));
  return encodeManagers(known ? managers : [...managers, own]);
}
