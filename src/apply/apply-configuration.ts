import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { unownedFields } from './unowned-fields.ts';
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
  union,
} from './field-set.ts';
import { fieldsAsApplied, type LastApplied, withLastApplied } from './last-applied.ts';
import { decodeManagers, type Manager, sameManager } from './managed-fields.ts';
import { prune, type VersionView } from './prune.ts';
import { type ReadConfiguration, readConfiguration } from './read-configuration.ts';
import { reconcileFields } from './reconcile-fields.ts';

/** A configuration that is applied to an object. Both are in the version of the request. */
interface ApplyOperation {
  readonly manager: string;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly schema: ObjectSchema;
  /** Without managedFields. */
  readonly applied: JsonObject;
  /** Without managedFields; undefined for one that is to be created. */
  readonly live: JsonObject | undefined;
  /** The managedFields of the live object. */
  readonly stored: JsonValue | undefined;
  /** Whether the list says all, so that fields without a manager are nobody's even where it is empty. */
  readonly isComplete: boolean;
  readonly force: boolean;
  /** Fields that this write may not set, with all below them. */
  readonly reset: FieldSet;
  /** RFC 3339 in seconds. */
  readonly time: string;
  readonly lastApplied: LastApplied;
  /** Undefined for a version that is not served. */
  readonly view: (apiVersion: string) => VersionView | undefined;
}

/** What becomes of an object, or what stands against it: the fields of others, or what is wrong with the configuration. */
export type ApplyOutcome =
  | {
      readonly object: JsonObject;
      readonly managers: readonly Manager[];
      /** Whether everybody owns what they owned before. */
      readonly sameOwners: boolean;
    }
  | { readonly conflicts: readonly Conflict[] }
  | { readonly problems: readonly string[] };

/**
 * Applies a configuration (spec 4.8): merges it into the live object, takes out what this manager applied before and now
 * leaves out, and moves the ownership. What others own and the configuration would change is a conflict, unless forced. Changes
 * none of its arguments; the object shares parts of them. Work is proportional to the configuration and the field sets.
 */
export function applyConfiguration(operation: ApplyOperation): ApplyOutcome {
  return beginApply(operation)();
}

/** The first half of `applyConfiguration`; answers the second, for objects so large that it takes a turn of its own. */
export function beginApply(operation: ApplyOperation): () => ApplyOutcome {
  const stored = operation.live ? (decodeManagers(operation.stored) ?? []) : [];
  const listed = stored.flatMap((manager) => reconciled(operation, manager));
  const last = listed.find((manager) => sameManager(manager, writerOf(operation, manager.fields)));
  const read = readConfiguration({ ...operation, last: last?.fields });
  return () => ('problems' in read ? read : finishApply(operation, { stored, listed, last, read }));
}

/** What the first half of an apply has found. */
interface Begun {
  readonly stored: readonly Manager[];
  /** Those whose versions are served. */
  readonly listed: readonly Manager[];
  /** The applier as it was. */
  readonly last: Manager | undefined;
  readonly read: Extract<ReadConfiguration, { readonly merged: JsonObject }>;
}

function finishApply(operation: ApplyOperation, { stored, listed, last, read }: Begun): ApplyOutcome {
  const own = writerOf(operation, read.fields);
  const before = stored.length > 0 ? listed : unlistedManagers(operation);
  const others = before.filter((manager) => manager !== last);
  const object = last ? pruned(operation, read.merged, last, [...others, own]) : read.merged;
  const compared = comparer(operation, object);
  const disputes = others.map((manager) => disputeOf(operation, manager, compared(manager.apiVersion)));
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
  const result = object === read.merged ? read.respelled : object;
  return {
    object: isCommandLine(operation) ? withLastApplied(operation.lastApplied, result, operation.applied) : result,
    managers: [...losers, own],
    sameOwners,
  };
}

/** Managers of versions that are gone have been left out. */
function countOf(stored: JsonValue | undefined): number {
  return Array.isArray(stored) ? stored.length : 0;
}

function isCommandLine({ manager, lastApplied }: ApplyOperation): boolean {
  return manager === lastApplied.manager;
}

function writerOf({ manager, subresource, apiVersion, time }: ApplyOperation, fields: FieldSet): Manager {
  return { name: manager, operation: 'Apply', apiVersion, subresource, time, fields };
}

/** The name of the manager that owns what an object had before it was applied first. Part of the protocol. */
const ancestor = 'before-first-apply';

/** An object without managers gets one for what it has, so that an apply does not take it for nobody's. */
function unlistedManagers(operation: ApplyOperation): readonly Manager[] {
  const { live, schema, apiVersion, subresource, time } = operation;
  if (live === undefined || operation.isComplete) return [];
  const { added, modified } = compareValues(schema, {}, live);
  const fields = difference(differenceWithBelow(union(added, modified), operation.reset), unownedFields);
  return [{ name: ancestor, operation: 'Update', apiVersion, subresource, time, fields }];
}

/** The manager with its fields as they are to be read now; none where its version is gone. */
function reconciled({ view }: ApplyOperation, manager: Manager): readonly Manager[] {
  const schema = view(manager.apiVersion)?.schema;
  if (!schema) return [];
  const fields = reconcileFields(schema, manager.fields);
  return [fields === manager.fields ? manager : { ...manager, fields }];
}

/** Without what the manager applied before and now leaves out. */
function pruned(
  { apiVersion, view }: ApplyOperation,
  merged: JsonObject,
  last: Manager,
  managers: readonly Manager[],
): JsonObject {
  return prune({ merged, last, managers, apiVersion, view });
}

/** What of a manager's fields the write changes, and what it removes. */
interface Dispute {
  readonly manager: Manager;
  readonly fields: FieldSet;
  readonly removed: FieldSet;
}

function disputeOf(operation: ApplyOperation, manager: Manager, comparison: Comparison | undefined): Dispute {
  if (!comparison) return { manager, fields: noFields, removed: noFields };
  const { added, modified, removed } = comparison;
  const within = (set: FieldSet): FieldSet => intersection(manager.fields, differenceWithBelow(set, operation.reset));
  return { manager, fields: union(within(modified), within(added)), removed: within(removed) };
}

/** Compares the live object with the next one in a version, once for each. */
function comparer(
  { schema, live = {}, apiVersion: ownVersion, view }: ApplyOperation,
  next: JsonObject,
): (apiVersion: string) => Comparison | undefined {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (apiVersion === ownVersion) return compareValues(schema, live, next);
    const other = view(apiVersion);
    return other && compareValues(other.schema, other.fromRequest(live), other.fromRequest(next));
  };
  return (apiVersion) => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, comparisonIn(apiVersion));
    return comparisons.get(apiVersion);
  };
}

/** The command-line client does not conflict with what it applied itself, on its own side. */
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
