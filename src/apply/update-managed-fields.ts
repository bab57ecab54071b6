import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { memoize } from '../meta/memoize.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import {
  difference,
  differenceWithBelow,
  equalSets,
  type FieldSet,
  isEmptySet,
  union,
  unownedFields,
} from './field-set.ts';
import { reconcileFields } from './reconcile-fields.ts';
import { decodeManagers, distinctManagers, isReset, type Manager, sameManager } from './managed-fields.ts';

/**
 * The maximum number of separate managers with the operation Update. Without a limit, a controller
 * that changes its name would grow every object.
 */
const updaterLimit = 10;

/** The manager of all merged entries. The name is part of the protocol. */
const ancientName = 'ancient-changes';

/**
 * Merges the oldest Update managers of each version into one until at most ten Update managers are
 * left. Apply managers are never merged.
 */
function capManagers(managers: readonly Manager[]): readonly Manager[] {
  let excess = managers.filter((manager) => manager.operation === 'Update').length - updaterLimit;
  if (excess <= 0) return managers;
  const kept = new Set(managers);
  const buckets = new Map<string, Manager>();
  for (const updater of oldestFirst(managers)) {
    if (excess <= 0) break;
    const first = buckets.get(updater.apiVersion);
    kept.delete(updater);
    if (first) {
      kept.delete(first);
      excess--;
    }
    const bucket = first ? merged(first, updater) : updater;
    buckets.set(updater.apiVersion, bucket);
    kept.add(bucket);
  }
  return [...kept];
}

function oldestFirst(managers: readonly Manager[]): Manager[] {
  return managers
    .filter((manager) => manager.operation === 'Update')
    .toSorted((a, b) => (a.time === b.time ? (a.name < b.name ? -1 : 1) : a.time < b.time ? -1 : 1));
}

/** Merges two entries. The time comes from `updater`, the later one. */
function merged(first: Manager, updater: Manager): Manager {
  return { ...updater, name: ancientName, subresource: '', fields: union(first.fields, updater.fields) };
}

/** An object in one version, before and after a write. */
interface ObjectUpdate {
  readonly schema: ObjectSchema;
  readonly live: JsonObject;
  readonly next: JsonObject;
}

/** A create, update or patch that is not an apply. */
interface UpdateOperation {
  readonly manager: string;
  readonly subresource: string;
  /** The version of the request. */
  readonly apiVersion: string;
  /** RFC 3339, in seconds. */
  readonly time: string;
  /**
   * Fields that this write may not set, including all fields below them. Their owners do not
   * change.
   */
  readonly reset: FieldSet;
  /** The managedFields that the client sent. */
  readonly sent: JsonValue | undefined;
  /** The managedFields of the live object. */
  readonly stored: JsonValue | undefined;
  /** True if the write creates the object. */
  readonly isNew: boolean;
  /**
   * Returns the changes of the write in a version, because the fields of a manager are in the
   * version of the manager. Undefined for a version that is not served.
   */
  inVersion(apiVersion: string): ComparedChange | undefined;
}

/** The fields that a write changes, in one version. */
export interface ComparedChange {
  readonly schema: ObjectSchema;
  readonly comparison: Comparison;
}

/**
 * Compares an object before and after a write. Fields in `reset` count as unchanged; managedFields
 * are ignored.
 */
export function compareChange(change: ObjectUpdate, reset: FieldSet): ComparedChange {
  const { schema, live, next } = change;
  const { added, modified, removed } = compareValues(schema, withoutManagers(live), withoutManagers(next));
  const changed = (set: FieldSet): FieldSet => differenceWithBelow(set, reset);
  return { schema, comparison: { added: changed(added), modified: changed(modified), removed: changed(removed) } };
}

/**
 * Returns the managers of an object after a write. Fields that were changed or added move to the
 * writer, removed fields are removed from all managers, and managers without fields are dropped. A
 * well-formed list in the request replaces the stored list; a list of one empty entry removes all
 * managers. Managers of versions that are not served are dropped.
 * An object without managers gets new ones only by an apply, or by a write that removes all
 * managers and changes fields.
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
  // Only the main resource accepts a list, so that a writer of the status cannot change other
  // owners.
  if (operation.subresource !== '') return stored;
  const sent = decodeManagers(operation.sent);
  return sent && sent.length > 0 ? distinctManagers(sent) : stored;
}

function reconciled(schema: ObjectSchema, manager: Manager): Manager {
  const fields = reconcileFields(schema, manager.fields);
  return fields === manager.fields ? manager : { ...manager, fields };
}

/** A copy of an object without its managedFields. */
export function withoutManagers(object: JsonObject): JsonObject {
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

/** Removes the fields that this write changed, added or removed from another manager. */
function withoutLost(manager: Manager, comparison: Comparison): Manager {
  let { fields } = manager;
  for (const lost of [comparison.modified, comparison.added, comparison.removed]) fields = difference(fields, lost);
  return fields === manager.fields ? manager : { ...manager, fields };
}

/**
 * Adds the fields that this write changed or added to the writer. The time of the writer changes if
 * fields were added or changed, but not if they were only removed.
 */
function withTaken(operation: UpdateOperation, previous: Manager | undefined, own: Comparison): Manager {
  const mayOwn = (set: FieldSet): FieldSet => withoutUnowned(differenceWithBelow(set, operation.reset));
  const taken = mayOwn(difference(union(own.modified, own.added), own.removed));
  if (!previous) return writerOf(operation, taken);
  const kept = mayOwn(difference(previous.fields, own.removed));
  if (!isEmptySet(taken)) return writerOf(operation, union(kept, taken));
  return equalSets(kept, previous.fields) ? previous : { ...previous, fields: kept };
}

/** Memoized, because objects that were created alike have the same sets (`changeOfNew`). */
const withoutUnowned = memoize((set: FieldSet): FieldSet => difference(set, unownedFields));
