import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { capManagers } from './cap-managers.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import {
  difference,
  differenceWithBelow,
  equalSets,
  type FieldSet,
  fieldSetOf,
  isEmptySet,
  union,
} from './field-set.ts';
import { decodeManagers, encodeManagers, isReset, type Manager, sameManager } from './managed-fields.ts';

/** An object in one version, before and after a write. */
export interface Change {
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
  /** Fields that this write may not set, with all below them, and so nobody comes to own by it. */
  readonly reset: FieldSet;
  /** The list that the client sent with the object. */
  readonly sent: JsonValue | undefined;
  /** The list of the live object. */
  readonly stored: JsonValue | undefined;
  /** The write as seen in a version: sets are in the version of their manager. Undefined for one that is not served. */
  inVersion(apiVersion: string): Change | undefined;
}

/**
 * The `metadata.managedFields` after a write: what was changed or added moves to the writer, what was removed leaves
 * everybody, and managers without fields are dropped. A list that a client sends replaces the stored one when it is
 * well formed, and asks for a fresh start when it is one empty entry.
 */
export function updateManagedFields(operation: UpdateOperation): JsonObject[] {
  if (operation.subresource === '' && isReset(operation.sent)) return [];
  const known = knownManagers(operation);
  const comparisons = new Map<string, Comparison | undefined>();
  const compared = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compare(operation.inVersion(apiVersion)));
    return comparisons.get(apiVersion);
  };
  const own = compared(operation.apiVersion);
  if (!own) return encodeManagers(known);
  const others: Manager[] = [];
  let previous: Manager | undefined;
  for (const manager of known) {
    if (sameManager(manager, writerOf(operation, manager.fields))) previous = manager;
    else others.push(withoutLost(manager, compared(manager.apiVersion)));
  }
  const writer = withTaken(operation, previous, own);
  return encodeManagers(capManagers([...others, writer].filter((manager) => !isEmptySet(manager.fields))));
}

function knownManagers(operation: UpdateOperation): readonly Manager[] {
  const stored = decodeManagers(operation.stored) ?? [];
  // A sub-resource does not take a list, so that a status writer cannot change who owns the rest.
  if (operation.subresource !== '') return stored;
  const sent = decodeManagers(operation.sent);
  return sent && sent.length > 0 ? sent : stored;
}

function compare(change: Change | undefined): Comparison | undefined {
  return change && compareValues(change.schema, withoutManagers(change.live), withoutManagers(change.next));
}

/** The list itself is nobody's field. */
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
function withoutLost(manager: Manager, comparison: Comparison | undefined): Manager {
  if (!comparison) return manager;
  let { fields } = manager;
  for (const lost of [comparison.modified, comparison.added, comparison.removed]) fields = difference(fields, lost);
  return fields === manager.fields ? manager : { ...manager, fields };
}

/** The writer gains what it changed or added. Its time moves only when its fields do. */
function withTaken(operation: UpdateOperation, previous: Manager | undefined, own: Comparison): Manager {
  const before = previous?.fields ?? { entries: new Map() };
  const gained = union(union(before, own.modified), own.added);
  const allowed = differenceWithBelow(difference(gained, own.removed), operation.reset);
  const fields = difference(allowed, bookkeeping);
  if (previous && equalSets(fields, previous.fields) && !changes(operation, own)) return previous;
  return writerOf(operation, fields);
}

/** Whether the writer changed anything that it may own, even where it owned it before. */
function changes(operation: UpdateOperation, own: Comparison): boolean {
  return [own.modified, own.added, own.removed].some(
    (set) => !isEmptySet(difference(differenceWithBelow(set, operation.reset), bookkeeping)),
  );
}

/** What the server keeps for itself, whoever sent it. */
const bookkeeping = fieldSetOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
    'clusterName',
    'managedFields',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);
