import {
  type ResourceRequest,
  type WriteRequest,
  type ConvertibleVersion,
  type ServedVersion,
  type StoredResource,
  versionOf,
} from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { type FieldSet, fieldSetOf, noFields } from '../../apply/field-set.ts';
import { agreeingSchemas } from '../../apply/agreeing-schemas.ts';
import { changeOfNew } from '../../apply/change-of-new.ts';
import { withDroppedChanges } from '../../apply/dropped-changes.ts';
import { encodeManagers } from '../../apply/managed-fields.ts';
import { type ComparedChange, compareChange, updateManagedFields } from '../../apply/update-managed-fields.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { andThen, runSteps } from '../../async/maybe-promise.ts';
import { getMeta, setMeta } from '../../meta/object-meta.ts';
import { StatusError } from '../../status/status-error.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { managersExceedValues } from './check-values.ts';

/** Records the field managers of an object about to be stored; `old` is undefined for a new one. */
export type TrackOwnership = (object: JsonObject, old: JsonObject | undefined) => Promise<void> | void;

/**
 * Records in `metadata.managedFields` which fields the writer changed. `old` is undefined for a
 * new object. Both objects are in the storage version. The writer's field set is computed in the
 * version of the request; sets of other managers are compared in their own versions.
 */
export function trackOwnership(
  request: WriteRequest,
  object: JsonObject,
  old: JsonObject | undefined,
): Promise<void> | void {
  const { resource, scope } = request;
  const own = versionOf(resource, scope.version);
  const [sent, stored] = [getMeta(object, 'managedFields'), old && getMeta(old, 'managedFields')];
  const changes = new Map<string, ComparedChange>();
  const write: TrackedWrite = { ...request, object, old, sent, stored, reset: resetFields(request), own, changes };
  // Conversions and comparisons of a large object yield between them.
  const pending = runSteps(comparedVersions(write), (version) => {
    const known = changes.get(own.apiVersion);
    if (known && hasSamePaths(resource, own, version)) {
      changes.set(version.apiVersion, known);
      return undefined;
    }
    const comparison: ComparedVersion = { write, version, live: {}, next: {} };
    return runSteps(comparisonSteps, (step) => step(comparison), { yields: true })?.catch((error: unknown) => {
      // The managers of a version whose conversion fails lose the fields that change in this
      // version.
      if (version === own || !(error instanceof StatusError)) throw error;
      const change = changes.get(own.apiVersion);
      if (change) changes.set(version.apiVersion, change);
    });
  });
  return pending ? pending.then(() => recordOwners(write)) : recordOwners(write);
}

/** A write with its change in each version that its managers use. */
interface TrackedWrite extends WriteRequest {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly reset: FieldSet;
  /** The list of managers that the client sent, and the list of the live object. */
  readonly sent: JsonValue | undefined;
  readonly stored: JsonValue | undefined;
  /** The version of the request. */
  readonly own: ServedVersion;
  /** The changes by apiVersion. */
  readonly changes: Map<string, ComparedChange>;
}

/**
 * Returns the version of the request, and all others in the lists of managers, which may be
 * malformed.
 */
function comparedVersions({ resource, own, sent, stored }: TrackedWrite): readonly ConvertibleVersion[] {
  const found: ConvertibleVersion[] = [own];
  for (const list of [sent, stored]) {
    if (!Array.isArray(list)) continue;
    for (const entry of list) {
      const apiVersion = isJsonObject(entry) ? getOwn(entry, 'apiVersion') : undefined;
      if (typeof apiVersion !== 'string' || found.some((known) => known.apiVersion === apiVersion)) continue;
      const version = versionNamed(resource, apiVersion);
      if (version) found.push(version);
    }
  }
  return found;
}

/** A write in one version: the objects before and after it. */
interface ComparedVersion {
  readonly write: TrackedWrite;
  readonly version: ConvertibleVersion;
  live: JsonObject;
  next: JsonObject;
}

/** The steps that add a version's change to `write.changes`. */
const comparisonSteps: readonly ((comparison: ComparedVersion) => Promise<void> | void)[] = [
  (comparison) => {
    const { write, version } = comparison;
    if (!write.old) return undefined;
    const live = version.fromStorage(write.old);
    if (live instanceof Promise) return live.then((object) => void (comparison.live = object));
    comparison.live = live;
    return undefined;
  },
  (comparison) => {
    const next = comparison.version.fromStorage(comparison.write.object);
    if (next instanceof Promise) return next.then((object) => void (comparison.next = object));
    comparison.next = next;
    return undefined;
  },
  ({ write, version: { apiVersion, schema }, live, next }) => {
    const { changes, reset, old } = write;
    const change = old === undefined ? changeOfNew(schema, next, reset) : compareChange({ schema, live, next }, reset);
    const own = changes.get(write.own.apiVersion);
    const isDropping = own !== undefined && hasSameFields(write.resource);
    changes.set(apiVersion, isDropping ? withDropped(change, own, { before: live, after: next }) : change);
  },
];

/** The version of the request is compared first, so that all others know its changes. */
function withDropped(
  { schema, comparison }: ComparedChange,
  own: ComparedChange,
  objects: { readonly before: JsonObject; readonly after: JsonObject },
): ComparedChange {
  return {
    schema,
    comparison: withDroppedChanges(comparison, { schema: own.schema, own: own.comparison, ...objects }),
  };
}

function recordOwners(write: TrackedWrite): Promise<void> | void {
  const { resource, scope, options, object, old, reset, sent, stored, own, changes } = write;
  const start = performance.now();
  const managers = updateManagedFields({
    manager: options.fieldManager,
    subresource: scope.subresource,
    apiVersion: own.apiVersion,
    time: resource.runtime.now(),
    reset,
    sent,
    stored,
    isNew: old === undefined,
    inVersion: (apiVersion) => changes.get(apiVersion),
  });
  const steps = [
    () => setMeta(object, 'managedFields', managers.length > 0 ? encodeManagers(managers) : undefined),
    () => {
      if (managersExceedValues(object, managers)) setMeta(object, 'managedFields', undefined);
    },
  ];
  return andThen(yieldIfLong(start), () => runSteps(steps, (step) => step(), { yields: true }));
}

/** Drops all managers. For objects that their managers would make too large to be stored. */
export const forgetOwnership: TrackOwnership = (object) => setMeta(object, 'managedFields', undefined);

/**
 * The fields that a request cannot set: `status` for the object; for the status sub-resource all
 * fields but the status, and of metadata only those that the strategy names.
 */
export function resetFields(request: ResourceRequest): FieldSet {
  const { resource, scope } = request;
  const own = resource.strategy.resetFields?.(scope.emulated)[scope.subresource];
  if (own) return fieldSetOf(own);
  const { schema, hasStatus } = versionOf(resource, scope.version);
  if (!hasStatus) return noFields;
  if (scope.subresource === '') return statusField;
  if (scope.subresource !== 'status') return noFields;
  let fields = fieldsBesideStatus.get(schema);
  if (!fields) {
    fields = besideStatus(schema, resource.strategy.subresources?.['status']?.keptMetadata ?? []);
    fieldsBesideStatus.set(schema, fields);
  }
  return fields;
}

const statusField = fieldSetOf([['f:status']]);

/** A pure cache: a schema belongs to one kind. */
const fieldsBesideStatus = new WeakMap<ObjectSchema, FieldSet>();

function besideStatus({ fields }: ObjectSchema, keptMetadata: readonly string[]): FieldSet {
  const others = [...fields.keys()].filter((name) => name !== 'metadata' && name !== 'status');
  return fieldSetOf([
    ...others.map((name) => [`f:${name}`]),
    ...keptMetadata.map((name) => ['f:metadata', `f:${name}`]),
  ]);
}

/**
 * Reports whether the fields of an object have the same paths in two versions, and the same owners:
 * it needs no conversion then to compare them.
 */
export function hasSamePaths(resource: StoredResource, one: ConvertibleVersion, other: ConvertibleVersion): boolean {
  return hasSameFields(resource) && agreeingSchemas(one.schema, other.schema);
}

/** Reports whether a field that two versions declare has the same path and value in both. */
export function hasSameFields({ info }: StoredResource): boolean {
  return info.conversion?.relabels === true;
}

/** Finds a version, served or storage, by its `apiVersion`. */
export function versionNamed(resource: StoredResource, apiVersion: string): ConvertibleVersion | undefined {
  if (resource.storageVersion.apiVersion === apiVersion) return resource.storageVersion;
  const isNamed = (version: ConvertibleVersion): boolean => version.apiVersion === apiVersion;
  return [...resource.versions.values()].find(isNamed) ?? [...(resource.otherVersions?.values() ?? [])].find(isNamed);
}
