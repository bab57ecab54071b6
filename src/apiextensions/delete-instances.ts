import type { CustomResourceDefinition } from '../gen/stored/apiextensions-v1.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { finalizersOf, nameOf, setFinalizers, namespaceOf } from '../meta/object-meta.ts';
import { systemScope } from '../registry/internal/ensure-object.ts';
import { changeObject } from '../registry/internal/reconcile-object.ts';
import type { RequestScope, ResourceRegistry, VersionedList } from '../registry/definition/registry.ts';
import { isCleanupFinalizer } from './customresourcedefinitions/cleanup-finalizer.ts';
import {
  conditionOf,
  type DefinitionCondition,
  withCondition,
} from './customresourcedefinitions/definition-condition.ts';
import { pause } from '../async/timers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { isUnreadable } from '../registry/read/storage-error-status.ts';
import { StatusError } from '../status/status-error.ts';

/** The first pause until it is checked whether all objects are gone; finalizers may hold them. */
const firstCheckMs = 100;
const longestCheckMs = 5_000;

/** Number of listed objects whose namespaces are then emptied. */
const pageSize = 500;

/** How the objects of a definition are deleted. */
interface DeleteAllOptions {
  /** True for the server that announced the deletion. */
  readonly isFirst: boolean;
  /** Called once if objects remain after a list and deletes without a problem. */
  readonly onDeleting: () => Promise<unknown>;
}

/** Objects cannot be deleted, or cannot be read, which is for an administrator to decide about. */
class InstancesRemain extends Error {
  override readonly name = 'InstancesRemain';
}

/**
 * Deletes all objects of a custom resource and returns when they are gone. The server that
 * announced the deletion does so; the others, and the same one after a restart, only watch that the
 * objects become fewer, and delete them if they do not. Throws `InstancesRemain`.
 */
async function deleteAllInstances(
  system: RequestScope,
  instances: ResourceRegistry,
  { isFirst, onDeleting }: DeleteAllOptions,
): Promise<void> {
  // The version that needs no conversion, which may fail.
  const { storage } = instances.info;
  const scope = { ...system, ...(storage ? { version: storage.version } : {}) };
  const { signal } = scope.cancellation;
  let before = Number.POSITIVE_INFINITY;
  let isReported = false;
  for (let checkMs = firstCheckMs; ; checkMs = Math.min(2 * checkMs, longestCheckMs)) {
    const list = await instances.list(scope, { at: { kind: 'latest' }, limit: pageSize });
    const count = list.items.length + (list.remaining ?? 0);
    const { unreadable } = list;
    if (count === 0 && !unreadable) return;
    if (isFirst || unreadable || count >= before) await deletePage(scope, instances, list);
    if (unreadable) throw new InstancesRemain(`could not list instances: ${unreadable.message}`, { cause: unreadable });
    if (!isReported) await onDeleting();
    isReported = true;
    before = count;
    await pause(checkMs, signal, { ref: false });
    signal.throwIfAborted();
  }
}

/** Deletes the objects of the namespaces that a page shows. */
async function deletePage(scope: RequestScope, instances: ResourceRegistry, { items }: VersionedList): Promise<void> {
  const namespaces = new Set(items.map(({ json }) => namespaceOf(JSON.parse(json.toString('utf8')) as JsonObject)));
  const errors: StatusError[] = [];
  for (const namespace of namespaces) {
    try {
      const all = { at: { kind: 'latest' }, limit: 0 } as const;
      await instances.deleteCollection({ ...scope, namespace }, all, { dryRun: false });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // The list shows the unreadable objects of all namespaces.
      if (!isUnreadable(error)) errors.push(error);
    }
  }
  if (errors.length > 0) {
    const messages = errors.map(({ message }) => message);
    throw new InstancesRemain(`could not issue all deletes: ${messages.join(', ')}`, { cause: errors[0] });
  }
}

/** The dependencies of the deletion. */
interface DeletionDependencies {
  readonly identifiers: Identifiers;
  readonly signal: AbortSignal;
}

/** Returns its argument if nothing changes. */
type ChangeDefinition = (found: CustomResourceDefinition) => CustomResourceDefinition;

const inProgress: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const completed: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};
const failed = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionFailed' } as const;

/**
 * Deletes all objects of a definition that is deleted, waits until they are gone, and lets the
 * definition go. Throws if an object cannot be deleted or cannot be read; the condition says so
 * until an attempt succeeds. Without `instances` it goes at once.
 */
export async function deleteInstances(
  { identifiers, signal }: DeletionDependencies,
  definitions: ResourceRegistry,
  crd: CustomResourceDefinition,
  instances: ResourceRegistry | undefined,
): Promise<void> {
  const scope = { ...systemScope(identifiers, definitions, signal), name: nameOf(crd), subresource: 'status' };
  const change = (next: ChangeDefinition): Promise<boolean> => changeStatus(definitions, scope, next);
  if (instances) {
    // A further attempt must not hide the failure of the last one before it succeeds.
    const isFirst = await change((found) => (isFailed(found) ? found : withCondition(found, inProgress)));
    const onDeleting = () => change((found) => withCondition(found, inProgress));
    try {
      await deleteAllInstances(systemScope(identifiers, instances, signal), instances, { isFirst, onDeleting });
    } catch (error) {
      if (error instanceof InstancesRemain) {
        const { message } = error;
        await change((found) => withCondition(found, { ...failed, message }));
      }
      throw error;
    }
  }
  await changeObject<CustomResourceDefinition>(definitions, scope, (found) =>
    withoutFinalizer(withCondition(found, completed)),
  );
}

function isFailed(crd: CustomResourceDefinition): boolean {
  return conditionOf(crd, failed.type)?.reason === failed.reason;
}

/** Writes the status unless `change` returns its argument. Returns true if it was written. */
async function changeStatus(
  definitions: ResourceRegistry,
  scope: RequestScope,
  change: ChangeDefinition,
): Promise<boolean> {
  let isChanged = false;
  await changeObject<CustomResourceDefinition>(definitions, scope, (found) => {
    const next = change(found);
    isChanged = next !== found;
    return isChanged ? next : undefined;
  });
  return isChanged;
}

/** The definition without the finalizer; a write of its status may take it away. */
function withoutFinalizer(crd: CustomResourceDefinition): CustomResourceDefinition {
  setFinalizers(
    crd,
    finalizersOf(crd).filter((finalizer) => !isCleanupFinalizer(finalizer)),
  );
  return crd;
}
