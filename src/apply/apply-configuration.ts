import { andThen, type MaybeAsync, type MaybePromise, runMaybeAsync } from '../async/maybe-promise.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { once } from '../meta/memoize.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import type { Conflict } from './conflicts.ts';
import {
  difference,
  differenceWithBelow,
  equalSets,
  type FieldSet,
  intersection,
  isEmptySet,
  noFields,
  replacedAbove,
  union,
  unownedFields,
} from './field-set.ts';
import { fieldsAsApplied, type LastApplied, withLastApplied } from './last-applied.ts';
import { withDroppedChanges } from './dropped-changes.ts';
import { decodeManagers, type Manager, sameManager } from './managed-fields.ts';
import { hasSameForm, mergeValues } from './merge-values.ts';
import { prune, type VersionView } from './prune.ts';
import { type ReadConfiguration, readConfiguration } from './read-configuration.ts';
import { reconcileFields } from './reconcile-fields.ts';

/** An apply of a configuration to an object. Both are in the version of the request. */
interface ApplyOperation {
  readonly manager: string;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly schema: ObjectSchema;
  /** The configuration, without managedFields. */
  readonly applied: JsonObject;
  /** The live object, without managedFields; undefined if there is no object yet. */
  readonly live: JsonObject | undefined;
  /** The managedFields of the live object. */
  readonly stored: JsonValue | undefined;
  /**
   * True if the managedFields are complete even if they are empty. Otherwise the fields of an
   * object without managers get the manager `before-first-apply`.
   */
  readonly isComplete: boolean;
  readonly force: boolean;
  /** Fields that this write may not set, including all fields below them. */
  readonly reset: FieldSet;
  /** RFC 3339, in seconds. */
  readonly time: string;
  readonly lastApplied: LastApplied;
  /** Returns the view in a version; undefined if the version is not served. See `Prune`. */
  readonly view: (apiVersion: string) => VersionView | undefined;
}

/**
 * The result of an apply: the object to store, or the conflicts with other managers, or the errors
 * in the configuration.
 */
export type ApplyOutcome =
  | {
      readonly object: JsonObject;
      readonly managers: readonly Manager[];
      /** True if the ownership of fields did not change. */
      readonly sameOwners: boolean;
    }
  | { readonly conflicts: readonly Conflict[] }
  | { readonly problems: readonly string[] };

/**
 * Applies a configuration (spec 4.8): merges it into the live object, removes fields that this
 * manager applied before and now omits, and updates the ownership. A change to a field of another
 * manager is a conflict, unless forced. The arguments are not changed; the result shares parts with
 * them. Work is proportional to the configuration and the field sets. Does the first half; returns
 * the second, so that the caller can run it in another turn of the event loop for a large object.
 */
export function beginApply(operation: ApplyOperation): () => MaybePromise<ApplyOutcome> {
  const stored = operation.live ? (decodeManagers(operation.stored) ?? []) : [];
  const listed = stored.flatMap((manager) => reconciled(operation, manager));
  const last = listed.find((manager) => sameManager(manager, writerOf(operation, manager.fields)));
  const read = readConfiguration({ ...operation, last: last?.fields });
  return () => ('problems' in read ? read : finishApply(operation, { stored, listed, last, read }));
}

/** The result of the first half of an apply. */
interface Begun {
  readonly stored: readonly Manager[];
  /** The stored managers whose versions are served, with reconciled fields. */
  readonly listed: readonly Manager[];
  /** The entry of the applying manager before this apply. */
  readonly last: Manager | undefined;
  readonly read: Extract<ReadConfiguration, { readonly merged: JsonObject }>;
}

function finishApply(operation: ApplyOperation, { stored, listed, last, read }: Begun): MaybePromise<ApplyOutcome> {
  const own = writerOf(operation, read.fields);
  const before = stored.length > 0 ? listed : unlistedManagers(operation);
  const others = before.filter((manager) => manager !== last);
  const object = last ? pruned(operation, read.merged, last, [...others, own]) : read.merged;
  const versions = new Set(others.map(({ apiVersion }) => apiVersion));
  return andThen(object, (left) => {
    const next = left === read.merged ? left : appliedAgain(operation, left);
    return andThen(runMaybeAsync(compared(operation, next, versions)), (comparisons) =>
      applyOutcome(operation, { read, own, before, others, last, object: next, comparisons }),
    );
  });
}

/**
 * A null that a custom object may have sets a map or a list to null only after the fields in it
 * that nobody owns any more are gone.
 */
function appliedAgain({ schema, applied }: ApplyOperation, left: JsonObject): JsonObject {
  const merged = schema.structural ? mergeValues(schema, left, applied) : left;
  return isJsonObject(merged) ? merged : left;
}

/** An apply whose result is known but for the owners of its fields. */
interface ComparedApply extends Pick<Begun, 'last' | 'read'> {
  readonly own: Manager;
  readonly before: readonly Manager[];
  /** The managers before this apply, without the applying one. */
  readonly others: readonly Manager[];
  readonly object: JsonObject;
  readonly comparisons: Comparisons;
}

function applyOutcome(
  operation: ApplyOperation,
  { read, own, before, others, last, object, comparisons }: ComparedApply,
): ApplyOutcome {
  const disputes = others.map((manager) => disputeOf(operation, manager, comparisons.get(manager.apiVersion)));
  const conflicts = disputes.flatMap(({ manager, fields }) => (isEmptySet(fields) ? [] : [{ manager, fields }]));
  if (!operation.force && conflicts.length > 0) {
    const left = withoutOwnPast(operation, conflicts);
    if (left.length > 0) return { conflicts: left };
  }
  const losers = disputes.map(({ manager, fields, removed }) => withoutFields(manager, union(fields, removed)));
  const sameOwners =
    before.length === countOf(operation.stored) &&
    last?.apiVersion === own.apiVersion &&
    equalSets(last.fields, own.fields) &&
    losers.every((manager, index) => manager === others[index]);
  const result = object === read.merged ? normalised(operation, object) : object;
  return {
    object: isCommandLine(operation) ? withLastApplied(operation.lastApplied, result, operation.applied) : result,
    managers: [...losers, own],
    sameOwners,
  };
}

/** The merged object, with the live value of each leaf that differs only in form. */
function normalised({ schema, live }: ApplyOperation, merged: JsonObject): JsonObject {
  const result = live ? mergeValues(schema, live, merged, hasSameForm) : merged;
  return isJsonObject(result) ? result : merged;
}

/** Counts the stored entries, including managers of versions that are no longer served. */
function countOf(stored: JsonValue | undefined): number {
  return Array.isArray(stored) ? stored.length : 0;
}

function isCommandLine({ manager, lastApplied }: ApplyOperation): boolean {
  return manager === lastApplied.manager;
}

function writerOf({ manager, subresource, apiVersion, time }: ApplyOperation, fields: FieldSet): Manager {
  return { name: manager, operation: 'Apply', apiVersion, subresource, time, fields };
}

/**
 * The manager that owns the fields that an object had before its first apply. The name is part of
 * the protocol.
 */
const ancestor = 'before-first-apply';

/**
 * Returns the managers of an object without managedFields: one that owns all fields of the live
 * object, so that an apply conflicts with them.
 */
function unlistedManagers(operation: ApplyOperation): readonly Manager[] {
  const { live, schema, apiVersion, subresource, time } = operation;
  if (live === undefined || operation.isComplete) return [];
  const { added, modified } = compareValues(schema, {}, live);
  const fields = difference(differenceWithBelow(union(added, modified), operation.reset), unownedFields);
  return [{ name: ancestor, operation: 'Update', apiVersion, subresource, time, fields }];
}

/**
 * Returns the manager with its fields reconciled with the current schema; empty if its version is
 * not served.
 */
function reconciled({ view }: ApplyOperation, manager: Manager): readonly Manager[] {
  const schema = view(manager.apiVersion)?.schema;
  if (!schema) return [];
  const fields = reconcileFields(schema, manager.fields);
  return [fields === manager.fields ? manager : { ...manager, fields }];
}

/** Removes the fields that the manager applied before and now omits. */
function pruned(
  { apiVersion, view }: ApplyOperation,
  merged: JsonObject,
  last: Manager,
  managers: readonly Manager[],
): MaybePromise<JsonObject> {
  return prune({ merged, last, managers, apiVersion, view });
}

/**
 * The fields of another manager that the write sets (`fields`) or removes. A value in which the
 * manager owns parts counts as one of its fields if the write replaces it by a scalar or a list.
 */
interface Dispute {
  readonly manager: Manager;
  readonly fields: FieldSet;
  readonly removed: FieldSet;
}

function disputeOf(operation: ApplyOperation, manager: Manager, comparison: Comparison | undefined): Dispute {
  if (!comparison) return { manager, fields: noFields, removed: noFields };
  const { added, modified, removed } = comparison;
  const within = (set: FieldSet): FieldSet => intersection(manager.fields, differenceWithBelow(set, operation.reset));
  const replaced = replacedAbove(manager.fields, differenceWithBelow(modified, operation.reset));
  return { manager, fields: union(union(within(modified), replaced), within(added)), removed: within(removed) };
}

/** The changes of an object, by version. */
type Comparisons = ReadonlyMap<string, Comparison>;

/**
 * Compares the live object with the next one in versions; those that are not served are left out.
 */
function* compared(
  { schema, live = {}, apiVersion: ownVersion, view }: ApplyOperation,
  next: JsonObject,
  versions: ReadonlySet<string>,
): MaybeAsync<JsonObject, Comparisons> {
  const comparisons = new Map<string, Comparison>();
  const own = view(ownVersion);
  const inOwn = once(() => compareValues(schema, live, next));
  for (const apiVersion of versions) {
    const other = view(apiVersion);
    if (other && other === own) comparisons.set(apiVersion, inOwn());
    else if (other) {
      const [before, after] = [yield other.fromRequest(live), yield other.fromRequest(next)];
      const seen = compareValues(other.schema, before, after);
      const all = other.movesFields ? seen : withDroppedChanges(seen, { schema, own: inOwn(), before, after });
      comparisons.set(apiVersion, all);
    }
  }
  return comparisons;
}

/**
 * Excludes fields that kubectl itself owns through client-side apply: they are no conflict for its
 * server-side apply.
 */
function withoutOwnPast(operation: ApplyOperation, conflicts: readonly Conflict[]): readonly Conflict[] {
  const { live, schema, apiVersion } = operation;
  if (!isCommandLine(operation) || !live) return conflicts;
  const past = fieldsAsApplied(operation.lastApplied, { live, schema, apiVersion });
  const left = conflicts.map(({ manager, fields }) => ({ manager, fields: difference(fields, past) }));
  return left.filter(({ fields }) => !isEmptySet(fields));
}

function withoutFields(manager: Manager, lost: FieldSet): Manager {
  return isEmptySet(lost) ? manager : { ...manager, fields: difference(manager.fields, lost) };
}
