import {
  type ResourceRequest,
  type WriteRequest,
  type AnyVersion,
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
import { getMeta, setMeta } from '../../meta/object-meta.ts';
import { StatusError } from '../../status/status-error.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { managersExceedValues } from './check-values.ts';
import { ownersBehindView } from './owners-behind-view.ts';

/** Records the field managers of an object about to be stored; `old` is undefined for a new one. */
export type TrackOwnership = (object: JsonObject, old: JsonObject | undefined) => Promise<void> | void;

/**
 * Records in `metadata.managedFields` which fields the writer changed. `old` is undefined for a
 * new object. Both objects are in the storage version. The writer's field set is computed in the
 * version of the request; sets of other managers are compared in their own versions.
 */
export async function trackOwnership(
  request: WriteRequest,
  object: JsonObject,
  old: JsonObject | undefined,
): Promise<void> {
  const { resource, scope } = request;
  const own = versionOf(resource, scope.version);
  const [sent, stored] = [getMeta(object, 'managedFields'), old && getMeta(old, 'managedFields')];
  const changes = new Map<string, ComparedChange>();
  const write: TrackedWrite = { ...request, object, old, sent, stored, reset: resetFields(request), own, changes };
  for (const version of comparedVersions(write)) {
    const known = changes.get(own.apiVersion);
    if (known && hasSamePaths(resource, own, version)) changes.set(version.apiVersion, known);
    else await compareVersion(write, version);
  }
  await recordOwners(write);
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
function comparedVersions({ resource, own, sent, stored }: TrackedWrite): readonly AnyVersion[] {
  const found: AnyVersion[] = [own];
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

/**
 * Records the changes in a version in `write.changes`. If the conversion fails, the managers of
 * that version lose the fields that change in the version of the request.
 */
async function compareVersion(write: TrackedWrite, version: AnyVersion): Promise<void> {
  try {
    write.changes.set(version.apiVersion, await changeIn(write, version));
  } catch (error) {
    if (version === write.own || !(error instanceof StatusError)) throw error;
    const change = write.changes.get(write.own.apiVersion);
    if (change) write.changes.set(version.apiVersion, change);
  }
}

/**
 * Compares an object in a version. Conversion and comparison of a large object yield in between.
 */
async function changeIn(write: TrackedWrite, version: AnyVersion): Promise<ComparedChange> {
  const { changes, reset, old, object } = write;
  const { schema } = version;
  const start = performance.now();
  const live = old ? await version.fromStorage(old) : {};
  await yieldIfLong(start);
  const converting = performance.now();
  const next = await version.fromStorage(object);
  await yieldIfLong(converting);
  const comparing = performance.now();
  const change = old === undefined ? changeOfNew(schema, next, reset) : compareChange({ schema, live, next }, reset);
  await yieldIfLong(comparing);
  const own = changes.get(write.own.apiVersion);
  const isDropping = own !== undefined && hasSameFields(write.resource);
  return isDropping ? withDropped(change, own, { before: live, after: next }) : change;
}

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

async function recordOwners(write: TrackedWrite): Promise<void> {
  const { resource, scope, options, object, old, reset, sent, stored, own, changes } = write;
  const start = performance.now();
  const updated = updateManagedFields({
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
  const managers = ownersBehindView(write, { object, stored, managers: updated });
  await yieldIfLong(start);
  const encoding = performance.now();
  setMeta(object, 'managedFields', managers.length > 0 ? encodeManagers(managers) : undefined);
  await yieldIfLong(encoding);
  if (managersExceedValues(object, managers)) setMeta(object, 'managedFields', undefined);
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
export function hasSamePaths(resource: StoredResource, one: AnyVersion, other: AnyVersion): boolean {
  return hasSameFields(resource) && agreeingSchemas(one.schema, other.schema);
}

/** Reports whether a field that two versions declare has the same path and value in both. */
export function hasSameFields({ info }: StoredResource): boolean {
  return info.conversion?.relabels === true;
}

/** Finds a version, served or storage, by its `apiVersion`. */
export function versionNamed(resource: StoredResource, apiVersion: string): AnyVersion | undefined {
  if (resource.storageVersion.apiVersion === apiVersion) return resource.storageVersion;
  const isNamed = (version: AnyVersion): boolean => version.apiVersion === apiVersion;
  return [...resource.versions.values()].find(isNamed) ?? [...(resource.otherVersions?.values() ?? [])].find(isNamed);
}
