import {
  type ResourceRequest,
  type WriteRequest,
  type StoredResource,
  versionOf,
} from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { mutate, validate } from '../../admission/admission.ts';
import { runSteps } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nextTurn, yieldIfLong } from '../../async/yield-if-long.ts';
import { parseResourceVersion } from '../../meta/resource-version.ts';
import { deletionTimestampOf, metaText, nameOf, orderMetadata, setMeta } from '../../meta/object-meta.ts';
import { isSince } from '../../scheme/api-release.ts';
import { dropEmptyLists } from '../../scheme/drop-empty-lists.ts';
import { validateSchema } from '../../scheme/validate-schema.ts';
import { noErrors } from '../../status/all-errors.ts';
import { StatusError } from '../../status/status-error.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { encodeObjectParts } from '../../storage/objects/stored-object.ts';
import { attributesOf } from './admit.ts';
import { type TrackOwnership, trackOwnership, forgetOwnership } from './track-ownership.ts';
import { checkValues } from './check-values.ts';
import { decodeBody, fillDefaults } from '../versions/decode-request.ts';
import { deduplicateOwners } from './deduplicate-owners.ts';
import { encodeCached, encodeObject } from '../versions/encode-version.ts';
import type { Reservation } from '../definition/object-allocator.ts';
import { mayBeWritten } from './release-deleted.ts';
import type { RequestScope, VersionedObject, WriteOptions } from '../definition/registry.ts';
import { markTemplateValidated } from './validated-template.ts';
import { fillNewStatus, resetStatus } from './status-field.ts';
import { isTooLargeToStore, statusOfStorageError } from '../read/storage-error-status.ts';
import { dropDeletion, setRequestNamespace, prepareSentMetadata } from './prepare-sent-metadata.ts';
import { checkName } from './update-steps.ts';
import { validateNewMetadata } from '../definition/validate-metadata.ts';
import { validateObject } from './validate-object.ts';
import { warnOfObject } from './warn-of-object.ts';
import { versionErrorsOf } from '../versions/version-errors.ts';

/** How many generated names are tried before the create fails with AlreadyExists. */
const generateAttempts = 8;

/**
 * Stores a new object. If a generated name is taken, the whole create runs again with another
 * name. An object that is too large is stored without its managers if that makes it small enough.
 */
export async function createObject(request: WriteRequest, body: JsonObject): Promise<VersionedObject> {
  const { resource, scope, options } = request;
  const version = versionOf(resource, scope.version);
  let setManagers: TrackOwnership | undefined;
  for (let left = generateAttempts; ; left--) {
    // Only the first attempt reports warnings to the client.
    const attempt = left === generateAttempts ? scope : { ...scope, warn: () => {} };
    const start = performance.now();
    const object = await decodeBody({ ...request, scope: attempt }, version, body);
    await yieldIfLong(start);
    const name = nameOf(object);
    const generated = name === '' && metaText(object, 'generateName') !== '';
    let reservation: Reservation | undefined;
    const reserve = resource.allocator && (async () => void (reservation = await reserveFor(request, object)));
    try {
      await newObject({ resource, scope: attempt, options, object, name, setManagers, reserve });
      return await store(request, object);
    } catch (error) {
      if (!mayBeWritten(error)) await reservation?.undo();
      if (isTooLargeToStore(error) && !setManagers) {
        setManagers = forgetOwnership;
        await nextTurn();
        continue;
      }
      const taken = error instanceof StorageError && error.code === 'AlreadyExists';
      if (!taken) throw statusOfStorageError(error, { subject: resource.subject, name: nameOf(object) });
      if (!generated) throw await nameTaken(request, object, error);
      if (left <= 1) throw noUniqueName(resource, object, error);
    }
  }
}

/** Allocates addresses and ports for a new object, and sets them in it. */
function reserveFor(
  { resource, scope, options }: WriteRequest,
  object: JsonObject,
): Promise<Reservation | undefined> | undefined {
  const write = { old: undefined, dryRun: options.dryRun, signal: scope.cancellation.signal };
  return resource.allocator?.reserve(object, write);
}

/** A running create. `object` is in the storage version and is mutated. */
interface NewObject {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  readonly object: JsonObject;
  /** The name in the request, '' if it is generated. Mutating plugins may change the object's. */
  readonly name: string;
  /** True if the URL has the name: mutating plugins must not change it then. */
  readonly keepsName?: boolean;
  /** Allocates addresses and ports. The caller undoes that if the create fails. */
  readonly reserve?: (() => Promise<void>) | undefined;
  /** Records the field managers; absent: they are derived from the object. */
  readonly setManagers?: TrackOwnership | undefined;
  /** See `UpdatePlan`. */
  readonly keepsNulls?: boolean | undefined;
}

/** Runs the steps between decoding and storing, in order. Each step may refuse the object. */
export async function newObject(write: NewObject): Promise<void> {
  const pending = runSteps(steps, (step) => step(write), { yields: true });
  if (pending) await pending;
}

const steps: readonly ((write: NewObject) => Promise<void> | void)[] = [
  (write) => fillDefaults(write, write.object, write.keepsNulls),
  ({ object }) => checkValues(object, undefined),
  ({ resource, scope, object }) => prepareSentMetadata(scope, object, resource.info.namespaced),
  // An apply makes the object that it creates, so its duplicates do not come from the request body.
  ({ scope, object, setManagers }) =>
    deduplicateOwners(object, setManagers ? 'made' : 'sent', (text) => scope.warn(text)),
  // Before the hooks, so that fields which the server fills in (an allocated address) get no owner.
  (write) =>
    write.setManagers ? write.setManagers(write.object, undefined) : trackOwnership(write, write.object, undefined),
  (write) => mutate(write.resource.admission, admission(write)),
  // After the plugins, which see the object of the client and cannot set the fields of the server.
  ({ scope, object, keepsName }) => (keepsName ? checkName({ scope, object }) : undefined),
  // Again: a plugin must not change it.
  ({ resource, scope, object }) => setRequestNamespace(scope, object, resource.info.namespaced),
  stampMetadata,
  (write) => resetStatus(write, write.object),
  // Before 1.25 this comes after the managers, so that the client owns these fields.
  ({ object }) => dropDeletion(object),
  ({ resource, object }) => resource.info.dropDisabled?.(object, undefined),
  ({ resource, scope, object }) => resource.strategy.prepareForCreate?.(object, scope),
  validateNewObject,
  warnOfObject,
  // Validating plugins see the allocated addresses and ports. The release may lack fields that the
  // allocator sets.
  ({ reserve, resource, object }) => reserve?.().then(() => resource.info.dropUnknown?.(object)),
  (write) => validate(write.resource.admission, admission(write)),
  // After validation, because kube-apiserver refuses the field only when it stores the object.
  dropResourceVersion,
  ({ resource, object }) => fillNewStatus(resource, object),
  ({ object }) => orderMetadata(object),
  ({ resource, object }) => dropEmptyLists(resource.storageVersion.schema, object),
  ({ resource, object }) => markTemplateValidated(resource, object),
];

/**
 * Decodes an object, sets its defaults and validates it, without admission and without storing it:
 * for objects from manifest files. Throws as a create does.
 */
export async function completeObject(request: WriteRequest, body: JsonObject): Promise<JsonObject> {
  const object = await decodeBody(request, versionOf(request.resource, request.scope.version), body);
  const pending = runSteps(completion, (step) => step({ ...request, object, name: nameOf(object) }), { yields: true });
  if (pending) await pending;
  return object;
}

const completion: typeof steps = [
  (write) => fillDefaults(write, write.object),
  ({ object }) => checkValues(object, undefined),
  ({ resource, object }) => resource.info.dropDisabled?.(object, undefined),
  validateNewObject,
];

/**
 * Refuses a set resourceVersion. The value 0 and texts that are not a version are ignored and
 * dropped.
 */
function dropResourceVersion({ object }: NewObject): void {
  const { type } = parseResourceVersion(metaText(object, 'resourceVersion'));
  if (type === 'revision' || type === 'tooLarge') {
    // 500 without a reason, as from kube-apiserver.
    throw new StatusError('', 'resourceVersion should not be set on objects to be created');
  }
  setMeta(object, 'resourceVersion', undefined);
}

/** Sets the metadata that the server owns; values from the client are replaced. */
function stampMetadata({ resource, scope, object }: NewObject): void {
  const { runtime, strategy } = resource;
  const base = metaText(object, 'generateName');
  const isRandom = strategy.randomNames && (base === '' || !isSince(scope.emulated.release, '1.26'));
  if (nameOf(object) === '' && isRandom) setMeta(object, 'name', runtime.newUid());
  else if (nameOf(object) === '' && base !== '') setMeta(object, 'name', runtime.generateName(base));
  setMeta(object, 'uid', runtime.newUid());
  setMeta(object, 'creationTimestamp', runtime.now());
  // Kinds without a managed generation keep the client's value; it never changes afterwards.
  if (resource.keepsGeneration) setMeta(object, 'generation', strategy.generation === 'changes' ? undefined : 1);
  for (const field of ['selfLink', 'clusterName'] as const) setMeta(object, field, undefined);
}

function validateNewObject({ resource, scope, object }: NewObject): Promise<void> {
  const { strategy, storageVersion } = resource;
  return validateObject(
    { resource, scope, object, name: nameOf(object) },
    {
      metadata: () => validateNewMetadata(resource, object),
      schema: () => validateSchema(storageVersion.schema, object),
      rules: [
        () => strategy.validate?.(object, scope) ?? noErrors,
        () => versionErrorsOf(object),
        // May read other objects.
        () => strategy.validateCreate?.(object, scope) ?? noErrors,
        () => resource.checkReferences?.(object, undefined, scope) ?? noErrors,
      ],
    },
  );
}

function admission(write: NewObject) {
  const { name, object } = write;
  return attributesOf(write, 'CREATE', { name: name || nameOf(object), object, oldObject: undefined });
}

/**
 * Writes the object. The response is built from the written bytes and the new revision, without
 * another read.
 */
async function store(request: WriteRequest, object: JsonObject): Promise<VersionedObject> {
  const { resource, scope, options } = request;
  const version = versionOf(resource, scope.version);
  const name = nameOf(object);
  const key = objectKey(resource.prefix, resource.storage, scope.namespace, name);
  const call = { signal: scope.cancellation.signal };
  if (options.dryRun) {
    const { current } = await resource.store.get(key, call);
    if (current) throw new StorageError('AlreadyExists', `${key} exists`, { key });
    const stored = resource.readBack ? await resource.readBack(object) : object;
    return encodeObject(version, version.fromStorage(stored));
  }
  const encoded = encodeObjectParts(object);
  const { bytes: value } = encoded;
  const { ttlSeconds } = resource;
  scope.steps?.step('Object admitted and encoded');
  const { revision } = await resource.store.create(key, value, ttlSeconds ? { ...call, ttlSeconds } : call);
  scope.steps?.step('Txn call succeeded');
  const stored = resource.cache.written({ key, value, revision });
  resource.recent.remember(stored, encoded, true);
  return encodeCached(version, stored);
}

/** AlreadyExists; the message says so if the existing object is being deleted. */
async function nameTaken(request: ResourceRequest, object: JsonObject, cause: unknown): Promise<unknown> {
  const { resource, scope } = request;
  const name = nameOf(object);
  const status = statusOfStorageError(cause, { subject: resource.subject, name });
  const existing = await resource.cache
    .get(scope.namespace, name, { kind: 'any' }, scope.cancellation.signal)
    .catch(() => undefined);
  if (!(status instanceof StatusError) || !existing?.object) return status;
  if (deletionTimestampOf(existing.object.decode()) === '') return status;
  return new StatusError('AlreadyExists', `object is being deleted: ${status.message}`, {
    ...(status.details ? { details: status.details } : {}),
    cause,
  });
}

function noUniqueName(resource: StoredResource, object: JsonObject, cause: unknown): unknown {
  const name = nameOf(object);
  const status = statusOfStorageError(cause, { subject: resource.subject, name });
  if (!(status instanceof StatusError)) return status;
  return new StatusError(
    'AlreadyExists',
    `${status.message}, the server was not able to generate a unique name for the object`,
    { details: { ...status.details, retryAfterSeconds: 1 }, cause },
  );
}
