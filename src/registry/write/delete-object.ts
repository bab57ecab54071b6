import { type DeleteRequest, type StoredResource, versionOf } from '../definition/stored-resource.ts';
import { mutate, validate } from '../../admission/admission.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { finalizersOf, orderMetadata, resourceVersionOf, setFinalizers, uidOf } from '../../meta/object-meta.ts';
import { isSince } from '../../scheme/api-release.ts';
import { conflict, forbiddenObject, notFound } from '../../status/status-error.ts';
import { hasAdditionsOf } from '../../scheme/emulated-release.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { guaranteedUpdate, type UpdateOutcome, type WriteDecision } from '../../storage/objects/guaranteed-update.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import { copyObject } from '../definition/resource-definition.ts';
import { attributesOf } from './admit.ts';
import { encodeCached, encodeObject } from '../versions/encode-version.ts';
import { completeOptions, isPending, planDeletion } from './plan-deletion.ts';
import { readContextOf } from '../versions/read-context-of.ts';
import { releaseDeleted } from './release-deleted.ts';
import type { DeleteResult, DeleteOptions, RequestScope } from '../definition/registry.ts';
import { atStorageBorder } from '../read/storage-error-status.ts';

/**
 * Deletes an object, or marks it for deletion if finalizers or a grace period hold it. With
 * `listed`, only that object is deleted: another one with the same name is NotFound.
 */
export async function deleteObject(request: DeleteRequest, listed?: CachedObject): Promise<DeleteResult> {
  const { resource, scope, options } = request;
  if (!listed) warnOfDependents(request);
  let decided: Decided | undefined;
  const outcome = await atStorageBorder({ subject: resource.subject, name: scope.name }, () =>
    guaranteedUpdate({
      store: resource.store,
      key: objectKey(resource.prefix, resource.storage, scope.namespace, scope.name),
      context: readContextOf(resource, scope),
      suggestion: resource.cache.suggest(scope.namespace, scope.name),
      transform: async (current) => {
        const meant = listed && current && isOther(current, listed) ? undefined : current;
        if (!listed && current) refuseDelete(resource, scope, current);
        decided = await decide(request, meant, listed ? '' : scope.name);
        return decided.decision;
      },
      dryRun: options.dryRun,
      signal: scope.cancellation.signal,
      ttlSeconds: resource.ttlSeconds,
    }),
  );
  await releaseDeleted(resource, options.dryRun, outcome);
  return answerOf(resource, scope, outcome, decided);
}

/** Warns of a delete by name without a propagation policy, if the kind has such a warning. */
export function warnOfDependents({ resource, scope, options }: DeleteRequest): void {
  const { warnsOfDependents: warning } = resource.strategy;
  if (!warning || !isSince(scope.emulated.release, warning.since)) return;
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) scope.warn(warning.text);
}

/**
 * Throws Forbidden if the strategy refuses the delete: some kinds are only deleted as a
 * collection.
 */
function refuseDelete({ strategy, subject }: StoredResource, { name }: RequestScope, current: CachedObject): void {
  const why = strategy.refuseDelete?.(current.value ?? current.decode());
  if (why !== undefined) throw forbiddenObject(subject, name, why);
}

/**
 * Reports whether two states belong to different objects. States of the same revision are not
 * decoded.
 */
function isOther(current: CachedObject, listed: CachedObject): boolean {
  return current.revision !== listed.revision && uidOf(current.decode()) !== uidOf(listed.decode());
}

function answerOf(
  resource: StoredResource,
  scope: RequestScope,
  outcome: UpdateOutcome,
  { object: ended, rehearsed }: Partial<Decided> = {},
): DeleteResult {
  if (!outcome.object) throw notFound(resource.subject, scope.name);
  const version = versionOf(resource, scope.version);
  if (rehearsed) {
    const object = encodeObject(version, version.fromStorage(rehearsed));
    return { deleted: true, uid: uidOf(rehearsed), object, asObject: true };
  }
  const graceful = resource.strategy.defaultGracePeriodSeconds !== undefined;
  const object =
    graceful && ended && outcome.action === 'deleted'
      ? encodeObject(version, version.fromStorage(ended))
      : encodeCached(version, outcome.object);
  if (outcome.action !== 'deleted') return { deleted: false, object };
  const returned = resource.strategy.returnsDeletedObject ?? false;
  const asObject = typeof returned === 'string' ? hasAdditionsOf(scope.emulated, returned) : returned;
  return { deleted: true, uid: ended ? uidOf(ended) : '', object, asObject };
}

interface Decided {
  readonly decision: WriteDecision;
  /** The object after the decision. */
  readonly object: JsonObject;
  /**
   * Set if a dry run would remove the last finalizers (of the garbage collector): the response is
   * this object and not a Status, as in kube-apiserver.
   */
  readonly rehearsed?: JsonObject | undefined;
}

async function decide(
  request: DeleteRequest,
  current: CachedObject | undefined,
  admittedName: string,
): Promise<Decided> {
  const { resource, scope, options } = request;
  if (!current) throw notFound(resource.subject, scope.name);
  const object = current.value ? copyObject(current.value) : current.decode();
  checkPreconditions(resource, scope, options, object);
  if (isPending({ strategy: resource.strategy, options, object })) return { decision: { action: 'keep' }, object };
  await admit(request, object, admittedName);
  const plan = planDeletion({
    strategy: resource.strategy,
    version: scope.version,
    options,
    now: resource.runtime.now(),
    object,
    isCollected: resource.isCollected,
  });
  if (plan === 'keep') return { decision: { action: 'keep' }, object };
  if (plan === 'change') resource.strategy.prepareForDelete?.(object, scope);
  orderMetadata(object);
  if (plan !== 'remove') return { decision: { action: 'put', value: object }, object };
  const { defaultGracePeriodSeconds } = resource.strategy;
  const rehearsed = options.dryRun && !defaultGracePeriodSeconds ? withoutHold(current) : undefined;
  // The response to the real delete shows the finalizers that it removed; the response to a dry run
  // does not.
  if (options.dryRun && defaultGracePeriodSeconds) setFinalizers(object, []);
  return { decision: { action: 'delete' }, object, rehearsed };
}

/** Runs admission. In a deletecollection the requests have no name, as in kube-apiserver. */
async function admit(request: DeleteRequest, object: JsonObject, name: string): Promise<void> {
  const { resource } = request;
  const options = completeOptions(resource.strategy, request.options, object);
  const write = { name, object: undefined, oldObject: object };
  const attributes = attributesOf({ ...request, options }, 'DELETE', write);
  await mutate(resource.admission, attributes);
  await validate(resource.admission, attributes);
}

/** A deleted object without the finalizers that held it; undefined if it had none. */
function withoutHold(current: CachedObject): JsonObject | undefined {
  const object = current.decode();
  if (finalizersOf(object).length === 0) return undefined;
  setFinalizers(object, []);
  return object;
}

/**
 * Throws Conflict if a precondition fails. The message names the kind and not the resource, as in
 * kube-apiserver. Kinds with `holdsDeletion` use the message of an update.
 */
function checkPreconditions(
  { strategy, subject, kindSubject }: StoredResource,
  { name }: RequestScope,
  { preconditions = {} }: DeleteOptions,
  object: JsonObject,
): void {
  const parts = [
    ['UID', preconditions.uid, uidOf(object), 'deleted and then recreated'],
    ['ResourceVersion', preconditions.resourceVersion, resourceVersionOf(object), 'modified'],
  ] as const;
  for (const [part, wanted, found, change] of parts) {
    if (wanted === undefined || wanted === found) continue;
    if (strategy.holdsDeletion) {
      const texts = `${part} in precondition: ${wanted}, ${part} in object meta: ${found}`;
      throw conflict(subject, name, `Precondition failed: ${texts}`);
    }
    const texts = `the ${part} in the precondition (${wanted}) does not match the ${part} in record (${found})`;
    throw conflict(kindSubject, name, `${texts}. The object might have been ${change}`);
  }
}
