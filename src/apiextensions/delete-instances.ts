import type { CustomResourceDefinition } from '../gen/stored/apiextensions-v1.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { finalizersOf, nameOf, setFinalizers } from '../meta/object-meta.ts';
import { systemScope } from '../registry/internal/ensure-object.ts';
import { changeObject } from '../registry/internal/reconcile-object.ts';
import type { RequestScope, ResourceRegistry } from '../registry/definition/registry.ts';
import { isCleanupFinalizer } from './customresourcedefinitions/cleanup-finalizer.ts';
import { conditionOf, type DefinitionCondition, withCondition } from './customresourcedefinitions/conditions.ts';
import { deleteAllInstances, InstancesRemain } from './delete-all-instances.ts';

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
