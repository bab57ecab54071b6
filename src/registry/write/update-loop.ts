import {
  type ResourceRequest,
  type WriteRequest,
  type StoredResource,
  versionOf,
} from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { mutate, validate } from '../../admission/admission.ts';
import { once } from '../../meta/memoize.ts';
import { runSteps } from '../../async/maybe-promise.ts';
import { equalValues } from '../../scheme/model/equal-values.ts';
import { copyJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { nextTurn, yieldIfLong } from '../../async/yield-if-long.ts';
import { deletionTimestampOf, finalizersOf, getMeta, setMeta, uidOf } from '../../meta/object-meta.ts';
import { isSince } from '../../scheme/api-release.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { conflict, notFound, type StatusError } from '../../status/status-error.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { guaranteedUpdate, type UpdateOutcome, type WriteDecision } from '../../storage/objects/guaranteed-update.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import type { UpdatePlan } from './update-plan.ts';
import { forgetOwnership } from './track-ownership.ts';
import { newObject } from './create-object.ts';
import { fillDefaults } from '../versions/decode-request.ts';
import { encodeCached, encodeObject } from '../versions/encode-version.ts';
import type { Reservation } from '../definition/object-allocator.ts';
import type { WriteResult } from '../definition/registry.ts';
import { mayBeWritten, releaseDeleted } from './release-deleted.ts';
import { readContextOf } from '../versions/read-context-of.ts';
import { requireCreate } from './refusal-of.ts';
import { replaceAllButStatus, withStatusOf } from './status-field.ts';
import { isTooLargeToStore, statusOfStorageError } from '../read/storage-error-status.ts';
import { type ServedView, viewOf } from '../definition/subresource-view.ts';
import { filledNamespaceSince } from './prepare-sent-metadata.ts';
import {
  admissionOf,
  checkIdentity,
  checkName,
  checkNamespace,
  stepsBehindView,
  type Update,
  updateSteps,
  wellFormedVersion,
  wrongUid,
} from './update-steps.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import type { KeyLock } from '../../async/key-lock.ts';

/** The update loop of one object: PUT or patch, of the object or of a sub-resource. */
export async function runUpdateLoop(request: WriteRequest, change: UpdatePlan): Promise<WriteResult> {
  try {
    return await changeOnce(request, change);
  } catch (error) {
    // An apply needs its managers, so it fails. Other writes store a too large object without
    // managers.
    if (change.setManagers || !isTooLargeToStore(error)) throw error;
    await nextTurn();
    return changeOnce(request, { ...change, setManagers: forgetOwnership });
  }
}

async function changeOnce(request: WriteRequest, change: UpdatePlan): Promise<WriteResult> {
  const attempt: Attempt = {
    ...request,
    change,
    requireCreate: once(() => requireCreate(request)),
    answer: undefined,
    reservation: undefined,
  };
  const outcome = await settled(attempt, () => updateStored(attempt));
  const { readBack } = request.resource;
  const isRehearsed = request.options.dryRun && (outcome.action === 'created' || outcome.action === 'updated');
  return readBack && isRehearsed && !viewOf(attempt)
    ? rehearsedAnswer(attempt, outcome, readBack)
    : answerOf(attempt, outcome);
}

/** The answer of a dry run through a version that is converted. */
async function rehearsedAnswer(
  { resource, scope, answer }: Attempt,
  { action, object }: UpdateOutcome,
  readBack: NonNullable<StoredResource['readBack']>,
): Promise<WriteResult> {
  const created = action === 'created';
  const written = created ? answer : object?.decode();
  const version = versionOf(resource, scope.version);
  return { created, object: encodeObject(version, version.fromStorage(await readBack(written ?? {}))) };
}

function updateStored(attempt: Attempt): Promise<UpdateOutcome> {
  const { resource, scope, options, change } = attempt;
  const key = objectKey(resource.prefix, resource.storage, scope.namespace, scope.name);
  const update = (attempts?: number) =>
    guaranteedUpdate({
      store: resource.store,
      key,
      context: readContextOf(resource, scope),
      suggestion: resource.cache.suggest(scope.namespace, scope.name),
      transform: (current) => (current ? decideUpdate(attempt, current) : decideCreate(attempt)),
      written: (stored) => resource.cache.written(stored),
      recent: resource.recent,
      ...(attempts === undefined ? {} : { attempts }),
      dryRun: options.dryRun,
      signal: scope.cancellation.signal,
      ttlSeconds: resource.ttlSeconds,
    });
  const { attempts, usesKeyLock } = change;
  const { keyLock } = resource;
  return usesKeyLock ? retryUnderKeyLock({ keyLock, key, attempts, write: update }) : update(attempts);
}

/**
 * Runs the update, then commits or undoes the reservation of the last attempt. Storage errors
 * become a Status.
 */
async function settled(attempt: Attempt, work: () => Promise<UpdateOutcome>): Promise<UpdateOutcome> {
  const { resource, scope } = attempt;
  try {
    const outcome = await work();
    if (outcome.action === 'created' || outcome.action === 'updated') await attempt.reservation?.settle();
    else await attempt.reservation?.undo();
    await releaseDeleted(resource, attempt.options.dryRun, outcome);
    return outcome;
  } catch (error) {
    if (!mayBeWritten(error)) await attempt.reservation?.undo();
    throw statusOfStorageError(error, { subject: resource.subject, name: scope.name });
  }
}

/**
 * Reserves addresses and ports for an attempt, after undoing the reservation of the attempt that
 * lost a conflict.
 */
async function reserve(attempt: Attempt, object: JsonObject, old: JsonObject | undefined): Promise<void> {
  const { resource, scope, options } = attempt;
  if (!resource.allocator) return;
  await attempt.reservation?.undo();
  attempt.reservation = undefined;
  const write = { old, dryRun: options.dryRun, signal: scope.cancellation.signal };
  attempt.reservation = await resource.allocator.reserve(object, write);
}

interface Attempt extends WriteRequest {
  readonly change: UpdatePlan;
  /**
   * Throws 403 unless the user may create the object. Asked once: the object may appear and vanish
   * while the write retries.
   */
  readonly requireCreate: () => Promise<void>;
  /**
   * The object that the last attempt computed; it is the response if the write deletes the
   * object.
   */
  answer: JsonObject | undefined;
  /** The reservation of the last attempt. */
  reservation: Reservation | undefined;
}

function answerOf(attempt: Attempt, outcome: UpdateOutcome): WriteResult {
  const { resource, scope, options, answer } = attempt;
  const version = versionOf(resource, scope.version);
  const created = outcome.action === 'created';
  const view = viewOf(attempt);
  if (view) {
    const parent = outcome.action === 'deleted' ? answer : outcome.object?.decode();
    return { created, object: encodeObject(view.version, view.show(parent ?? {})) };
  }
  const stored = outcome.action !== 'deleted' && !(created && options.dryRun);
  if (stored && outcome.object) return { created, object: encodeCached(version, outcome.object) };
  // Removed with its last finalizer, or created in a dry run: respond with the object as written.
  return { created, object: encodeObject(version, version.fromStorage(answer ?? {})) };
}

async function decideCreate(attempt: Attempt): Promise<WriteDecision> {
  const { resource, scope, options, change } = attempt;
  const { createsMissing, uidIsPrecondition, setManagers, keepsNulls } = change;
  const willing = createsMissing === 'always' || resource.strategy.allowCreateOnUpdate === true;
  const allowed = createsMissing !== 'never' && willing && scope.subresource === '';
  // A uid in the patch is a precondition, so a mismatch is reported before NotFound.
  if (!allowed && !uidIsPrecondition) throw notFound(resource.subject, scope.name);
  const made = change.transform(undefined);
  const object = made instanceof Promise ? await made : made;
  checkNamespace({ scope, object });
  // An apply that names a uid means an object that exists: that comes before its name.
  if (!uidIsPrecondition && uidOf(object) !== '') throw missingUid(attempt, uidOf(object));
  checkName({ scope, object });
  wellFormedVersion({ resource, scope, object });
  if (uidOf(object) !== '') throw wrongUid(attempt, uidOf(object), '');
  if (!allowed) throw notFound(resource.subject, scope.name);
  await attempt.requireCreate();
  setMeta(object, 'resourceVersion', undefined);
  const reserveNew = resource.allocator && (() => reserve(attempt, object, undefined));
  const { name } = scope;
  await newObject({
    resource,
    scope,
    options,
    object,
    name,
    keepsName: true,
    setManagers,
    keepsNulls,
    reserve: reserveNew,
  });
  attempt.answer = object;
  return { action: 'put', value: object };
}

/** The conflict of a patch with a uid that would create the object. */
function missingUid({ resource, scope }: Attempt, uid: string): StatusError {
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(resource.subject, scope.name, why);
}

async function decideUpdate(attempt: Attempt, current: CachedObject): Promise<WriteDecision> {
  const start = performance.now();
  const old = attempt.resource.recent.treeOf(current);
  const rest = yieldIfLong(start);
  if (rest) await rest;
  const view = viewOf(attempt);
  const made = view ? changeView(attempt, view, old) : attempt.change.transform(old);
  const whole = made instanceof Promise ? await made : made;
  const { resource, scope } = attempt;
  const isStatus = scope.subresource === 'status' && !view;
  const object = isStatus ? statusWrite(attempt, whole, old) : whole;
  const update: Update = {
    ...attempt,
    object,
    old,
    reserve: resource.allocator && scope.subresource === '' ? () => reserve(attempt, object, old) : undefined,
    showSent: isStatus ? () => showSent(attempt, whole, object) : undefined,
  };
  const pending = runSteps(view ? stepsBehindView : updateSteps, (step) => step(update), { yields: true });
  if (pending) await pending;
  attempt.answer = object;
  if (endsDeletion(resource, object)) return { action: 'delete' };
  const comparing = performance.now();
  const isSame = equalValues(object, old);
  const pause = yieldIfLong(comparing);
  if (pause) await pause;
  return isSame && !current.outdated ? { action: 'keep' } : { action: 'put', value: object };
}

/**
 * Fills in defaults that depend on the body before the write is reduced to the status: they can
 * be derived from fields that a status write drops, such as a template.
 */
function statusWrite({ resource, scope }: Attempt, whole: JsonObject, old: JsonObject): JsonObject {
  resource.strategy.subresources?.['status']?.default?.(whole, scope);
  return withStatusOf(whole, old);
}

/**
 * Puts the parts that the client sent besides metadata and status into the object of a status
 * write, with their defaults. Later steps restore the parts of the old object.
 */
function showSent(request: ResourceRequest, whole: JsonObject, object: JsonObject): void {
  // The parts may belong to the stored object, which must not change.
  const sent = copyJsonObject(whole);
  fillDefaults(request, sent);
  replaceAllButStatus(object, sent);
}

/**
 * Changes the parent through its view. Admission is asked about the view, which the client sent.
 */
async function changeView(attempt: Attempt, view: ServedView, old: JsonObject): Promise<JsonObject> {
  const oldView = view.read(old);
  const object = await attempt.change.transform(structuredClone(view.begin(old)));
  const update: Update = { ...attempt, object, old: oldView };
  checkIdentity(update);
  const { namespace, emulated } = attempt.scope;
  if (namespace !== '' && isSince(emulated.release, filledNamespaceSince)) setMeta(object, 'namespace', namespace);
  applyDefaults(view.version.schema, object);
  const { group, version, kind } = view.kind;
  const attributes = admissionOf(update, { group, version, kind });
  await mutate(attempt.resource.admission, attributes);
  view.check(object);
  await validate(attempt.resource.admission, attributes);
  return view.write(object, old);
}

/** Reports whether an object marked for deletion has no finalizer, hold or grace period left. */
function endsDeletion({ strategy }: StoredResource, object: JsonObject): boolean {
  if (deletionTimestampOf(object) === '' || finalizersOf(object).length > 0) return false;
  if (strategy.holdsDeletion?.(object)) return false;
  return (getMeta(object, 'deletionGracePeriodSeconds') ?? 0) === 0;
}

/** A write that can lose conflicts to concurrent writes of the same object. */
interface ContendedWrite<T> {
  readonly keyLock: KeyLock;
  readonly key: string;
  /** The most attempts; undefined: the default. */
  readonly attempts: number | undefined;
  /** Throws the storage error `Conflict` if its last attempt loses. */
  readonly write: (attempts: number | undefined) => Promise<T>;
}

/**
 * Tries once without a lock. After a conflict the write queues for the lock of its key, with all
 * other writes that lost: many concurrent patches of one object then do not use up each other's
 * attempts, which are left for conflicts with other servers.
 */
async function retryUnderKeyLock<T>({ keyLock, key, attempts, write }: ContendedWrite<T>): Promise<T> {
  if (keyLock.isHeld(key)) return keyLock.run(key, () => write(attempts));
  try {
    return await write(1);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'Conflict') throw error;
    return keyLock.run(key, () => write(attempts && attempts - 1));
  }
}
