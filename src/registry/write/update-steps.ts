import { undeterminableName, validateMetadataUpdate } from '../definition/validate-metadata.ts';
import type { ResourceRequest, WriteRequest } from '../definition/stored-resource.ts';
import { type AdmissionAttributes, mutate, validate } from '../../admission/admission.ts';
import { equalValues } from '../../scheme/model/equal-values.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import {
  deletionTimestampOf,
  generationOf,
  getMeta,
  type MetadataField,
  nameOf,
  namespaceOf,
  orderMetadata,
  resourceVersionOf,
  setMeta,
  uidOf,
} from '../../meta/object-meta.ts';
import { parseResourceVersion, type ResourceVersion } from '../../meta/resource-version.ts';
import { isSince } from '../../scheme/api-release.ts';
import { dropEmptyLists } from '../../scheme/drop-empty-lists.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { sameField } from '../../scheme/same-message.ts';
import { validateSchema } from '../../scheme/validate-schema.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { badRequest, conflict, invalidObject, modifiedMessage, type StatusError } from '../../status/status-error.ts';
import { attributesOf } from './admit.ts';
import type { UpdatePlan } from './update-plan.ts';
import { refuseOtherNamespace } from './refuse-other-namespace.ts';
import { filledNamespaceSince, setRequestNamespace } from './prepare-sent-metadata.ts';
import { trackOwnership } from './track-ownership.ts';
import { checkValues } from './check-values.ts';
import { fillDefaults } from '../versions/decode-request.ts';
import { deduplicateOwners } from './deduplicate-owners.ts';
import { markTemplateValidated, reuseTemplate } from './validated-template.ts';
import { fillStatusDefaults, replaceAllButStatus, keepStatus } from './status-field.ts';
import { viewOf } from '../definition/subresource-view.ts';
import { validateObject } from './validate-object.ts';
import { warnOfObject } from './warn-of-object.ts';
import { versionErrorsOf } from '../versions/version-errors.ts';

/** One attempt of an update. `object` is in the storage version and is mutated; `old` is not. */
export interface Update extends WriteRequest {
  readonly change: UpdatePlan;
  readonly object: JsonObject;
  readonly old: JsonObject;
  /** Allocates addresses and ports; absent for kinds without, and for sub-resources. */
  readonly reserve?: (() => Promise<void>) | undefined;
  /** Puts back the parts of the object that a status write drops, for mutating webhooks. */
  readonly showSent?: (() => void) | undefined;
}

/** One step of an update; throws to refuse. */
type UpdateStep = (update: Update) => Promise<void> | void;

const mutateObject: UpdateStep = (update) => mutate(update.resource.admission, admissionOf(update));
const admitObject: UpdateStep = (update) => validate(update.resource.admission, admissionOf(update));

/** The steps between making the new object and storing it, in order. */
export const updateSteps: readonly UpdateStep[] = [
  checkIdentity,
  checkUid,
  fillSentNamespace,
  ({ resource, object, old }) => reuseTemplate(resource, object, old),
  (update) =>
    update.scope.subresource === 'status'
      ? fillStatusDefaults(update.resource, update.object, update.scope)
      : fillDefaults(update, update.object, update.change.keepsNulls),
  ({ object, old }) => checkValues(object, old),
  ({ scope, object }) => deduplicateOwners(object, 'made', (text) => scope.warn(text)),
  // Before the server restores fields and sets its own, so that these get no owner; as in a create.
  (update) => (update.change.setManagers ? undefined : trackOwnership(update, update.object, update.old)),
  mutateObject,
  // After the plugins, which see the object of the client and cannot set the fields of the server.
  fillNamespace,
  checkResourceVersion,
  keepMetadata,
  ({ resource, object, old }) => resource.info.dropDisabled?.(object, old),
  keepOtherParts,
  raiseGeneration,
  validateUpdatedObject,
  warnOfObject,
  // Validating plugins see the allocated addresses and ports. The release may lack fields that the
  // allocator sets.
  ({ reserve, resource, object }) => reserve?.().then(() => resource.info.dropUnknown?.(object)),
  admitObject,
  // An apply is last, because its managers depend on whether the object changed.
  ({ change, object, old }) => change.setManagers?.(object, old),
  ({ object }) => orderMetadata(object),
  ({ resource, object }) => dropEmptyLists(resource.storageVersion.schema, object),
  ({ resource, scope, object }) => (scope.subresource === '' ? markTemplateValidated(resource, object) : undefined),
];

/** The steps of a write through a view: admission has seen the view. */
export const stepsBehindView: readonly UpdateStep[] = updateSteps.filter(
  (step) => step !== mutateObject && step !== admitObject,
);

/** Throws 400 if the body's name or namespace differ from the URL. */
export function checkIdentity(update: Pick<Update, 'scope' | 'object'>): void {
  checkName(update);
  checkNamespace(update);
}

/** Throws 400 if the body's name differs from the URL. */
export function checkName({ scope, object }: Pick<Update, 'scope' | 'object'>): void {
  const name = nameOf(object);
  if (name === '') throw undeterminableName(scope.name);
  if (name !== scope.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${scope.name})`);
  }
}

/** Throws 400 if the body's namespace differs from the URL. */
export function checkNamespace({ scope, object }: Pick<Update, 'scope' | 'object'>): void {
  const namespace = namespaceOf(object);
  const { urlNamespace = scope.namespace } = scope;
  if (urlNamespace !== '' && namespace !== '' && namespace !== urlNamespace) {
    if (isSince(scope.emulated.release, filledNamespaceSince))
      refuseOtherNamespace({ namespace: urlNamespace }, object);
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${urlNamespace})`,
    );
  }
}

/** Fills in the namespace before mutating admission, which sees it since release 1.24. */
function fillSentNamespace(update: Update): void {
  if (isSince(update.scope.emulated.release, filledNamespaceSince)) fillNamespace(update);
}

/** Fills in the namespace, which a body may omit because the URL names it. */
function fillNamespace({ scope, object }: Update): void {
  setRequestNamespace(scope, object, scope.namespace !== '');
}

function checkUid(update: Update): void {
  const [uid, found] = [uidOf(update.object), uidOf(update.old)];
  if (update.change.uidIsPrecondition && uid !== '' && uid !== found) throw wrongUid(update, uid, found);
}

/** Conflict: the object has another uid than the client expects. */
export function wrongUid(request: ResourceRequest, wanted: string, found: string): StatusError {
  const { resource, scope } = request;
  const message = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  return conflict(resource.subject, scope.name, message);
}

/**
 * Compares the resourceVersion of the body with the stored one. Most kinds allow an update
 * without one.
 */
function checkResourceVersion(update: Update): void {
  const { resource, scope, old } = update;
  const written = wellFormedVersion(update);
  switch (written.type) {
    case 'unset':
    case 'any':
      if (resource.strategy.allowUnconditionalUpdate !== false || viewOf(update)) return;
      throw invalidVersion(update, 'must be specified for an update');
    case 'tooLarge':
      throw conflict(resource.subject, scope.name, modifiedMessage);
    case 'revision':
      if (String(written.revision) !== resourceVersionOf(old)) {
        throw conflict(resource.subject, scope.name, modifiedMessage);
      }
  }
}

/** The resourceVersion in the body. Throws 422 if it is malformed. */
export function wellFormedVersion(
  write: Pick<Update, 'resource' | 'scope' | 'object'>,
): Exclude<ResourceVersion, { readonly type: 'malformed' }> {
  const written = parseResourceVersion(resourceVersionOf(write.object));
  if (written.type !== 'malformed') return written;
  throw invalidVersion(write, written.message);
}

function invalidVersion({ resource, scope, object }: Pick<Update, 'resource' | 'scope' | 'object'>, why: string) {
  const error = invalid('metadata.resourceVersion', resourceVersionOf(object), why);
  return invalidObject(resource.subject, scope.name, [error]);
}

/**
 * Restores metadata that a write cannot change. A deletion cannot be undone; a changed uid, a new
 * deletion or another grace period are left to validation.
 */
function keepMetadata({ object, old }: Update): void {
  const kept: MetadataField[] = ['resourceVersion', 'creationTimestamp', 'generation', 'selfLink', 'clusterName'];
  if (uidOf(object) === '') kept.push('uid');
  if (deletionTimestampOf(old) !== '') kept.push('deletionTimestamp');
  if (getMeta(object, 'deletionGracePeriodSeconds') === undefined) kept.push('deletionGracePeriodSeconds');
  for (const field of kept) setMeta(object, field, getMeta(old, field));
}

/**
 * Restores the parts that this write may not change: the object and each sub-resource write their
 * own.
 */
function keepOtherParts(update: Update): void {
  const { resource, scope, object, old } = update;
  const { strategy } = resource;
  if (scope.subresource === 'status' && !strategy.subresources?.['status']?.view) replaceAllButStatus(object, old);
  if (scope.subresource === '') {
    keepStatus(update, object, old);
    strategy.prepareForUpdate?.(object, old, scope);
    return;
  }
  strategy.subresources?.[scope.subresource]?.prepareForUpdate?.(object, old, scope);
}

function raiseGeneration({ resource, scope, object, old }: Update): void {
  if (!resource.keepsGeneration || resource.strategy.generation === 'fixed') return;
  const raises = scope.subresource === '' && resource.strategy.raisesGeneration?.(object, old);
  if (raises || !wantsTheSame(resource.storageVersion.schema, object, old))
    setMeta(object, 'generation', generationOf(old) + 1);
}

/** Reports whether two objects differ at most in metadata, status and the spelling of values. */
function wantsTheSame({ fields }: ObjectSchema, object: JsonObject, old: JsonObject): boolean {
  return [...Object.keys(object), ...Object.keys(old)].every((key) => {
    if (key === 'metadata' || key === 'status') return true;
    const [value, oldValue] = [getOwn(object, key), getOwn(old, key)];
    return equalValues(value, oldValue) || sameField(fields.get(key), value, oldValue);
  });
}

function validateUpdatedObject(update: Update): Promise<void> {
  const { resource, scope, object, old } = update;
  const { strategy, storageVersion } = resource;
  const whole = scope.subresource === '';
  const isStatus = scope.subresource === 'status';
  return validateObject(
    { resource, scope, object, old, name: scope.name, isStatus },
    {
      metadata: () => validateMetadataUpdate(resource, object, old),
      // A sub-resource validates only the values that it changes.
      schema: () => validateSchema(storageVersion.schema, object, whole ? { old } : { old, checked: old, isStatus }),
      rules: [() => stateErrors(update), () => resource.checkReferences?.(object, old, scope) ?? noErrors],
      changes: () => (whole ? (strategy.validateUpdate?.(object, old, scope) ?? noErrors) : noErrors),
    },
  );
}

/**
 * The errors of the new state. A sub-resource has one hook for the state and for immutable
 * fields.
 */
function stateErrors({ resource, scope, object, old }: Update): readonly FieldError[] {
  const { strategy } = resource;
  const part = strategy.subresources?.[scope.subresource];
  // A write through a view changes the object itself.
  if (scope.subresource === '' || part?.view) {
    return allErrors(
      strategy.validate?.(object, scope, old) ?? noErrors,
      newVersionErrors({ resource, scope, object, old }),
    );
  }
  return part?.validateUpdate?.(object, old, scope) ?? noErrors;
}

/**
 * The errors of the request's version that the old object does not have: values that were valid in
 * another version may stay.
 */
function newVersionErrors({ resource, scope, object, old }: Pick<Update, 'resource' | 'scope' | 'object' | 'old'>) {
  const errors = versionErrorsOf(object);
  if (errors.length === 0) return errors;
  const version = [...resource.versions.values()].find((one) => one.version === scope.version && one.validate);
  const before = version?.validate?.(version.fromStorage(old), scope) ?? noErrors;
  return errors.filter(({ field, message }) => !before.some((one) => one.field === field && one.message === message));
}

/** The admission attributes of an update; `kind` is the kind of a view. */
export function admissionOf(update: Update, kind?: AdmissionAttributes['kind']) {
  const { scope, object, old: oldObject, showSent } = update;
  return attributesOf(update, 'UPDATE', { name: scope.name, object, oldObject, showSent, ...(kind ? { kind } : {}) });
}
