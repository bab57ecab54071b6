import type { ResourceRequest, WriteRequest } from './resource-request.ts';
import { performance } from 'node:perf_hooks';
import { type FieldSet, fieldSetOf, noFields } from '../apply/field-set.ts';
import { encodeManagers } from '../apply/managed-fields.ts';
import { type ComparedChange, compareChange, updateManagedFields } from '../apply/update-managed-fields.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { continueAfter, restAfter } from '../async/next-turn.ts';
import { getMeta, setMeta } from '../meta/object-meta.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { managersExceedValues } from './managers-exceed-values.ts';
import type { RequestScope, WriteOptions } from './registry.ts';
import { type ServedVersion, type StoredResource, versionOf } from './stored-resource.ts';

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
  const { resource, scope, options } = request;
  const start = performance.now();
  const { apiVersion: ownVersion } = versionOf(resource, scope.version);
  const compared = { resource, object, old, reset: resetFields(request) };
  const own = compareIn(compared, ownVersion);
  const write: ClaimedWrite = { ...compared, scope, options, ownVersion, own };
  return continueAfter<void>(start, () => claimChange(write));
}

/** An object before and after a write; it can be compared in any version. */
interface ComparedWrite {
  readonly resource: StoredResource;
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly reset: FieldSet;
}

/** A write with its change in the version of the request. */
interface ClaimedWrite extends ComparedWrite {
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  readonly ownVersion: string;
  readonly own: ComparedChange | undefined;
}

function claimChange(write: ClaimedWrite): Promise<void> | void {
  const { resource, scope, options, object, old, reset, ownVersion, own } = write;
  const start = performance.now();
  const managers = updateManagedFields({
    manager: options.fieldManager,
    subresource: scope.subresource,
    apiVersion: ownVersion,
    time: resource.runtime.now(),
    reset,
    sent: getMeta(object, 'managedFields'),
    stored: old && getMeta(old, 'managedFields'),
    isNew: old === undefined,
    inVersion: (apiVersion) => (apiVersion === ownVersion ? own : compareIn(write, apiVersion)),
  });
  const finish = (): Promise<void> | undefined => {
    const encoding = performance.now();
    setMeta(object, 'managedFields', managers.length > 0 ? encodeManagers(managers) : undefined);
    if (managersExceedValues(object, managers)) setMeta(object, 'managedFields', undefined);
    return restAfter(encoding);
  };
  const rest = restAfter(start);
  return rest ? rest.then(finish) : finish();
}

/** Drops all managers. For objects that their managers would make too large to be stored. */
export const forgetOwnership: TrackOwnership = (object) => setMeta(object, 'managedFields', undefined);

/**
 * The fields that a request cannot set: `status` for the object; for the status sub-resource all
 * fields but the status, and of metadata only those that the strategy names.
 */
export function resetFields(request: ResourceRequest): FieldSet {
  const { resource, scope } = request;
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

function compareIn({ resource, object, old, reset }: ComparedWrite, apiVersion: string): ComparedChange | undefined {
  const version = versionNamed(resource, apiVersion);
  if (!version) return undefined;
  const live = old ? version.fromStorage(old) : {};
  return compareChange({ schema: version.schema, live, next: version.fromStorage(object) }, reset);
}

/** Finds a version, served or storage, by its `apiVersion`. */
export function versionNamed(resource: StoredResource, apiVersion: string): ServedVersion | undefined {
  if (resource.storageVersion.apiVersion === apiVersion) return resource.storageVersion;
  return [...resource.versions.values()].find((version) => version.apiVersion === apiVersion);
}
