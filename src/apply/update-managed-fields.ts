import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { unownedFields } from './unowned-fields.ts';
import { capManagers } from './cap-managers.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { difference, differenceWithBelow, equalSets, type FieldSet, isEmptySet, union } from './field-set.ts';
import { reconcileFields } from './reconcile-fields.ts';
import { decodeManagers, distinctManagers, isReset, type Manager, sameManager } from './managed-fields.ts';

/** An object in one version, before and after a write. */
interface Change {
  readonly schema: ObjectSchema;
  readonly live: JsonObject;
  readonly next: JsonObject;
}

/** A write by create, update or a patch that is no apply. */
export interface UpdateOperation {
  readonly manager: string;
  readonly subresource: string;
  /** The version in which the client wrote. */
  readonly apiVersion: string;
  /** RFC 3339 in seconds. */
  readonly time: string;
  /** Fields that this write may not set, with all below them: nobody comes to own them by it, and nobody loses them. */
  readonly reset: FieldSet;
  /** The list that the client sent with the object. */
  readonly sent: JsonValue | undefined;
  /** The list of the live object. */
  readonly stored: JsonValue | undefined;
  /** Whether there was no object before. */
  readonly isNew: boolean;
  /** What the write does in a version: sets are in that of their manager. Undefined for one that is not served. */
  inVersion(apiVersion: string): ComparedChange | undefined;
}

/** Which fields a write changes, in one version. */
export interface ComparedChange {
  readonly schema: ObjectSchema;
  readonly comparison: Comparison;
}

/** Compares an object before and after a write. What lies in `reset` counts as unchanged; the list of managers is no field. */
export function compareChange(change: Change, reset: FieldSet): ComparedChange {
  const { schema, live, next } = change;
  const { added, modified, removed } = compareValues(schema, withoutManagers(live), withoutManagers(next));
  const changed = (set: FieldSet): FieldSet => differenceWithBelow(set, reset);
  return { schema, comparison: { added: changed(added), modified: changed(modified), removed: changed(removed) } };
}

/**
 * The managers of an object after a write: what was changed or added moves to the writer, what was removed leaves
 * everybody, and managers without fields are dropped. A list that a client sends replaces the stored one when it is
 * well formed, and asks for a fresh start when it is one empty entry. Who wrote in a version that is gone is forgotten. An
 * object that has lost its managers stays without until it is applied or one write both starts afresh and changes something.
 */
export function updateManagedFields(operation: UpdateOperation): readonly Manager[] {
  const forgets = operation.subresource === '' && isReset(operation.sent);
  const starts = operation.isNew || forgets;
  const known = forgets ? [] : knownManagers(operation);
  if (known.length === 0 && !starts) return [];
  const views = new Map<string, ComparedChange | undefined>();
  const view = (apiVersion: string): ComparedChange | undefined => {
    if (!views.has(apiVersion)) views.set(apiVersion, operation.inVersion(apiVersion));
    return views.get(apiVersion);
  };
  const own = view(operation.apiVersion)?.comparison;
  if (!own) return known;
  const others: Manager[] = [];
  let previous: Manager | undefined;
  for (const stored of known) {
    const seen = view(stored.apiVersion);
    if (!seen) continue;
    const manager = reconciled(seen.schema, stored);
    if (sameManager(manager, writerOf(operation, manager.fields))) previous = manager;
    else others.push(withoutLost(manager, seen.comparison));
  }
  const writer = withTaken(operation, previous, own);
  return capManagers([...others, writer].filter((manager) => !isEmptySet(manager.fields)));
}

function knownManagers(operation: UpdateOperation): readonly Manager[] {
  const stored = decodeManagers(operation.stored) ?? [];
  // A sub-resource does not take a list, so that a status writer cannot change who owns the rest.
  if (operation.subresource !== '') return stored;
  const sent = decodeManagers(operation.sent);
  return sent && sent.length > 0 ? distinctManagers(sent) : stored;
}

function reconciled(schema: ObjectSchema, manager: Manager): Manager {
  const fields = reconcileFields(schema, manager.fields);
  return fields === manager.fields ? manager : { ...manager, fields };
}

function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function writerOf(operation: UpdateOperation, fields: FieldSet): Manager {
  return {
    name: operation.manager,
    operation: 'Update',
    apiVersion: operation.apiVersion,
    subresource: operation.subresource,
    time: operation.time,
    fields,
  };
}

/** Another manager loses what this write changed, added or removed. */
function withoutLost(manager: Manager, comparison: Comparison): Manager {
  let { fields } = manager;
  for (const lost of [comparison.modified, comparison.added, comparison.removed]) fields = difference(fields, lost);
  return fields === manager.fields ? manager : { ...manager, fields };
}

/** The writer gains what it changed or added. Its time moves with that, and not with what it only removes. */
function withTaken(operation: UpdateOperation, previous: Manager | undefined, own: Comparison): Manager {
  const mayOwn = (set: FieldSet): FieldSet => difference(differenceWithBelow(set, operation.reset), unownedFields);
  const taken = mayOwn(difference(union(own.modified, own.added), own.removed));
  if (!previous) return writerOf(operation, taken);
  const kept = mayOwn(difference(previous.fields, own.removed));
  if (!isEmptySet(taken)) return writerOf(operation, union(kept, taken));
  return equalSets(kept, previous.fields) ? previous : { ...previous, fields: kept };
}
