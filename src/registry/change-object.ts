import { mutate, validate } from '../admission/admission.ts';
import { equalValues } from '../apply/equal-values.ts';
import type { JsonObject } from '../meta/json-value.ts';
import {
  deletionTimestampOf,
  finalizersOf,
  generationOf,
  getMeta,
  type MetadataField,
  nameOf,
  namespaceOf,
  orderMetadata,
  resourceVersionOf,
  setMeta,
  uidOf,
} from '../meta/object-meta.ts';
import { parseResourceVersion } from '../meta/resource-version.ts';
import { applyDefaults } from '../scheme/apply-defaults.ts';
import { validateSchema } from '../scheme/validate-schema.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import {
  badRequest,
  conflict,
  invalidObject,
  modifiedMessage,
  notFound,
  type StatusError,
} from '../status/status-error.ts';
import type { CachedObject } from '../storage/cached-object.ts';
import { guaranteedUpdate, type UpdateOutcome, type WriteDecision } from '../storage/guaranteed-update.ts';
import { objectKey } from '../storage/object-key.ts';
import { attributesOf } from './admit.ts';
import { type Claim, claimFields } from './claim-fields.ts';
import type { Reservation } from './object-allocator.ts';
import { newObject } from './create.ts';
import { fillDefaults } from './decode-request.ts';
import { deduplicateOwners } from './deduplicate-owners.ts';
import { encodeCached, encodeObject } from './encode-version.ts';
import { joinErrors } from './join-errors.ts';
import type { RequestScope, WriteAnswer, WriteOptions } from './registry.ts';
import { keepAllButStatus, keepStatus } from './status-field.ts';
import { mayBeWritten, releaseDeleted } from './release-deleted.ts';
import { statusOfStorageError } from './storage-status.ts';
import type { Strategy } from './strategy.ts';
import { type StoredResource, versionOf } from './stored-resource.ts';
import { type ServedView, viewOf } from './subresource-view.ts';
import { validateMetadata, validateMetadataUpdate } from './validate-metadata.ts';

/** How a request makes the new object. */
export interface Change {
  /**
   * Makes the object, in the storage version, from the live one, which it leaves as it is; runs again on every conflict. On a
   * sub-resource that is a view, both are views.
   */
  transform(live: JsonObject | undefined): JsonObject;
  /** Whether a missing object is created: never, where the kind allows it, or always. */
  readonly createsMissing: 'never' | 'whereAllowed' | 'always';
  /** Whether the object's uid is a precondition rather than a change. */
  readonly uidIsPrecondition: boolean;
  /** How many writes may be lost to others. */
  readonly attempts?: number;
  /** Says who owns the fields, where that is not told by what changed. */
  readonly claim?: Claim | undefined;
}

/** Changes one object: an update, a patch, or either of a sub-resource. */
export async function changeObject(
  resource: StoredResource,
  scope: RequestScope,
  options: WriteOptions,
  change: Change,
): Promise<WriteAnswer> {
  const attempt: Attempt = { resource, scope, options, change, answer: undefined, reservation: undefined };
  const outcome = await settled(attempt, () =>
    guaranteedUpdate({
      store: resource.store,
      key: objectKey(resource.prefix, resource.storage, scope.namespace, scope.name),
      context: { namespace: scope.namespace, name: scope.name, fieldsOf: resource.strategy.fieldsOf },
      suggestion: resource.cache.suggest(scope.namespace, scope.name),
      transform: (current) => (current ? decideUpdate(attempt, current) : decideCreate(attempt)),
      recent: resource.recent,
      ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
      dryRun: options.dryRun,
      signal: scope.cancellation.signal,
      ttlSeconds: resource.ttlSeconds,
    }),
  );
  return answerOf(attempt, outcome);
}

/** Runs the update, and gives back what was taken for it, or what it gave up. */
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

/** An earlier run's write was lost, and with it what was taken for it. */
async function reserve(attempt: Attempt, object: JsonObject, old: JsonObject | undefined): Promise<void> {
  const { resource, scope, options } = attempt;
  if (!resource.allocator) return;
  await attempt.reservation?.undo();
  attempt.reservation = undefined;
  const write = { old, dryRun: options.dryRun, signal: scope.cancellation.signal };
  attempt.reservation = await resource.allocator.reserve(object, write);
}

interface Attempt {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  readonly change: Change;
  /** The object of the last run, for the answer to a write that removes it. */
  answer: JsonObject | undefined;
  /** What was taken for the last run. */
  reservation: Reservation | undefined;
}

function answerOf({ resource, scope, options, answer }: Attempt, outcome: UpdateOutcome): WriteAnswer {
  const version = versionOf(resource, scope.version);
  const created = outcome.action === 'created';
  const view = viewOf(resource, scope);
  if (view) {
    const parent = outcome.action === 'deleted' ? answer : outcome.object?.decode();
    return { created, object: encodeObject(view.version, view.read(parent ?? {})) };
  }
  const stored = outcome.action !== 'deleted' && !(created && options.dryRun);
  if (stored && outcome.object) return { created, object: encodeCached(version, outcome.object) };
  // Removed with its last finalizer, or created in a dry run: the client sees what it wrote.
  return { created, object: encodeObject(version, version.fromStorage(answer ?? {})) };
}

async function decideCreate(attempt: Attempt): Promise<WriteDecision> {
  const { resource, scope, options, change } = attempt;
  const { createsMissing, claim } = change;
  const willing = createsMissing === 'always' || resource.strategy.allowCreateOnUpdate === true;
  const allowed = createsMissing !== 'never' && willing && scope.subresource === '';
  if (!allowed) throw notFound(resource.subject, scope.name);
  const object = change.transform(undefined);
  checkIdentity({ resource, scope, options, change, object, old: {} });
  if (uidOf(object) !== '') throw wrongUid(resource, scope, uidOf(object), '');
  setMeta(object, 'resourceVersion', undefined);
  await newObject({ resource, scope, options, object, claim });
  attempt.answer = object;
  await reserve(attempt, object, undefined);
  return { action: 'put', value: object };
}

async function decideUpdate(attempt: Attempt, current: CachedObject): Promise<WriteDecision> {
  const old = attempt.resource.recent.treeOf(current);
  const view = viewOf(attempt.resource, attempt.scope);
  const object = view ? await changeView(attempt, view, old) : attempt.change.transform(old);
  const update: Update = { ...attempt, object, old };
  for (const step of view ? stepsBehindView : steps) await step(update);
  attempt.answer = object;
  if (endsDeletion(attempt.resource, object)) return { action: 'delete' };
  if (attempt.scope.subresource === '') await reserve(attempt, object, old);
  return equalValues(object, old) ? { action: 'keep' } : { action: 'put', value: object };
}

/** One run of an update: `object` is in the storage version and changed in place, `old` never. */
interface Update {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  readonly change: Change;
  readonly object: JsonObject;
  readonly old: JsonObject;
}

type Step = (update: Update) => Promise<void> | void;

const mutateObject: Step = (update) => mutate(update.resource.admission, admission(update));
const admitObject: Step = (update) => validate(update.resource.admission, admission(update));

const steps: readonly Step[] = [
  checkIdentity,
  checkUid,
  checkResourceVersion,
  ({ resource, scope, object }) => fillDefaults(resource, object, scope),
  ({ scope, object }) => deduplicateOwners(object, (text) => scope.warn(text)),
  keepMetadata,
  keepOtherParts,
  raiseGeneration,
  mutateObject,
  validateObject,
  admitObject,
  ({ resource, scope, options, change, object, old }) =>
    change.claim ? change.claim(object, old) : claimFields(resource, scope, options, object, old),
  ({ object }) => orderMetadata(object),
];

/** Of a write through a view, admission sees the view. */
const stepsBehindView: readonly Step[] = steps.filter((step) => step !== mutateObject && step !== admitObject);

/** Makes the parent by way of its view, which is what the client wrote and what admission is asked about. */
async function changeView(attempt: Attempt, view: ServedView, old: JsonObject): Promise<JsonObject> {
  const oldView = view.read(old);
  const object = attempt.change.transform(structuredClone(oldView));
  const update: Update = { ...attempt, object, old: oldView };
  checkIdentity(update);
  applyDefaults(view.version.schema, object);
  const { group, version, kind } = view.kind;
  const attributes = { ...admission(update), kind: { group, version, kind } };
  await mutate(attempt.resource.admission, attributes);
  view.check(object);
  await validate(attempt.resource.admission, attributes);
  return view.write(object, old);
}

function checkIdentity({ scope, object }: Update): void {
  const name = nameOf(object);
  if (name === '') {
    throw badRequest(`the name of the object (${scope.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== scope.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${scope.name})`);
  }
  const namespace = namespaceOf(object);
  if (scope.namespace !== '' && namespace !== '' && namespace !== scope.namespace) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${scope.namespace})`,
    );
  }
  setMeta(object, 'namespace', scope.namespace === '' ? undefined : scope.namespace);
}

function checkUid({ resource, scope, change, object, old }: Update): void {
  const uid = uidOf(object);
  if (change.uidIsPrecondition && uid !== '' && uid !== uidOf(old)) throw wrongUid(resource, scope, uid, uidOf(old));
}

function wrongUid(resource: StoredResource, scope: RequestScope, wanted: string, found: string): StatusError {
  const message = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  return conflict(resource.subject, scope.name, message);
}

/** An update says which state it was made from, or (where the kind allows it) that it does not care. */
function checkResourceVersion({ resource, scope, object, old }: Update): void {
  const written = parseResourceVersion(resourceVersionOf(object));
  switch (written.type) {
    case 'malformed':
      throw invalidVersion(resource, scope, JSON.stringify(resourceVersionOf(object)), written.message);
    case 'unset':
    case 'any':
      if (resource.strategy.allowUnconditionalUpdate !== false) return;
      // Go prints the number zero so; clients have seen this text for years.
      throw invalidVersion(resource, scope, '0x0', 'must be specified for an update');
    case 'tooLarge':
      throw conflict(resource.subject, scope.name, modifiedMessage);
    case 'revision':
      if (String(written.revision) !== resourceVersionOf(old)) {
        throw conflict(resource.subject, scope.name, modifiedMessage);
      }
  }
}

function invalidVersion(resource: StoredResource, scope: RequestScope, shown: string, why: string): StatusError {
  const error = { ...invalid('metadata.resourceVersion', '', why), message: `Invalid value: ${shown}: ${why}` };
  return invalidObject(resource.subject, scope.name, [error]);
}

/** Metadata that a write cannot move. A deletion cannot be taken back; uid and a new deletion are left to validation. */
function keepMetadata({ object, old }: Update): void {
  const kept: MetadataField[] = ['resourceVersion', 'creationTimestamp', 'generation', 'selfLink', 'clusterName'];
  if (uidOf(object) === '') kept.push('uid');
  if (deletionTimestampOf(old) !== '') kept.push('deletionTimestamp');
  if (getMeta(old, 'deletionGracePeriodSeconds') !== undefined) kept.push('deletionGracePeriodSeconds');
  for (const field of kept) setMeta(object, field, getMeta(old, field));
}

/** The object itself and each sub-resource write their own parts and leave the others. */
function keepOtherParts({ resource, scope, object, old }: Update): void {
  const { strategy } = resource;
  if (scope.subresource === '') {
    keepStatus(resource, object, old);
    strategy.prepareForUpdate?.(object, old, scope);
    return;
  }
  if (scope.subresource === 'status') keepAllButStatus(object, old);
  strategy.subresources?.[scope.subresource]?.prepareForUpdate?.(object, old, scope);
}

function raiseGeneration({ resource, object, old }: Update): void {
  if (resource.keepsGeneration && !equalValues(generationParts(object), generationParts(old))) {
    setMeta(object, 'generation', generationOf(old) + 1);
  }
}

function generationParts({ metadata: _metadata, status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}

type ErrorOrder = (state: readonly FieldError[], changes: readonly FieldError[]) => readonly FieldError[];

const updateErrors: Readonly<Record<NonNullable<Strategy['updateErrors']> | 'stateFirst', ErrorOrder>> = {
  stateFirst: (state, changes) => [...state, ...changes],
  changesFirst: (state, changes) => [...changes, ...state],
  stateTwice: (state, changes) => [...state, ...state, ...changes],
};

function validateObject({ resource, scope, object, old }: Update): void {
  const { strategy } = resource;
  const subresource = strategy.subresources?.[scope.subresource];
  const metadata = validateMetadataUpdate(object, old);
  const whole = scope.subresource === '';
  const changes = (whole ? strategy : subresource)?.validateUpdate?.(object, old, scope) ?? [];
  const state = whole ? (strategy.validate?.(object, scope) ?? []) : [];
  const own = updateErrors[strategy.updateErrors ?? 'stateFirst'](state, changes);
  const errors = [
    // Twice, as kube-apiserver reports them: once for every kind, once in the kind's own rules.
    ...metadata,
    ...metadata,
    ...(whole ? validateMetadata(resource, object) : []),
    ...joinErrors(own, validateSchema(resource.storageVersion.schema, object)),
  ];
  if (errors.length > 0) throw invalidObject(resource.kindSubject, scope.name, errors);
}

function admission({ resource, scope, options, object, old }: Update) {
  return attributesOf(resource, scope, 'UPDATE', {
    name: scope.name,
    object,
    oldObject: old,
    dryRun: options.dryRun,
  });
}

/** Whether nothing holds an object any longer whose deletion was asked for. */
function endsDeletion({ strategy }: StoredResource, object: JsonObject): boolean {
  if (deletionTimestampOf(object) === '' || finalizersOf(object).length > 0) return false;
  if (strategy.holdsDeletion?.(object)) return false;
  return (getMeta(object, 'deletionGracePeriodSeconds') ?? 0) === 0;
}
