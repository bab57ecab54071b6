import { pause } from '../async/pause.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { finalizersOf, nameOf, namespaceOf, setFinalizers } from '../meta/object-meta.ts';
import { systemScope } from '../registry/ensure-object.ts';
import { changeObject } from '../registry/reconcile-object.ts';
import type { RequestScope, ResourceRegistry } from '../registry/registry.ts';
import { isCleanupFinalizer } from '../resources/apiextensions/customresourcedefinitions/cleanup-finalizer.ts';
import {
  type DefinitionCondition,
  withCondition,
} from '../resources/apiextensions/customresourcedefinitions/conditions.ts';

/** The first pause until it is checked whether all objects are gone; finalizers may hold them. */
const firstCheckMs = 100;
const longestCheckMs = 5_000;

/** How many objects show in which namespaces there are any. */
const pageSize = 500;

/** The dependencies of the deletion. */
interface DeletionDependencies {
  readonly identifiers: Identifiers;
  readonly signal: AbortSignal;
}

const terminating = { type: 'Terminating' } as const;

/**
 * Deletes all objects of a definition that is deleted, waits until they are gone, and lets the
 * definition go. Throws if an object cannot be deleted. Without `instances` it goes at once.
 */
export async function deleteInstances(
  dependencies: DeletionDependencies,
  definitions: ResourceRegistry,
  crd: JsonObject,
  instances: ResourceRegistry | undefined,
): Promise<void> {
  const { identifiers, signal } = dependencies;
  const scope = { ...systemScope(identifiers, definitions, signal), name: nameOf(crd), subresource: 'status' };
  let isFirst = false;
  const tell = (condition: Omit<DefinitionCondition, 'type'>, release = false): Promise<void> =>
    changeObject(definitions, scope, (found) => {
      const next = withCondition(found, { ...terminating, ...condition });
      isFirst = next !== found;
      return release ? withoutFinalizer(next) : isFirst ? next : undefined;
    });
  if (instances) {
    await tell({
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    await deleteAll(dependencies, instances, isFirst);
  }
  await tell({ status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' }, true);
}

/** The definition without the finalizer; a write of its status may take it away. */
function withoutFinalizer(crd: JsonObject): JsonObject {
  setFinalizers(
    crd,
    finalizersOf(crd).filter((finalizer) => !isCleanupFinalizer(finalizer)),
  );
  return crd;
}

/**
 * Deletes all objects. The server that announced the deletion does so; the others, and the same one
 * after a restart, only watch that the objects become fewer, and delete them if they do not.
 */
async function deleteAll(
  { identifiers, signal }: DeletionDependencies,
  instances: ResourceRegistry,
  isFirst: boolean,
): Promise<void> {
  // The version that needs no conversion, which may fail.
  const { storage } = instances.info;
  const scope = { ...systemScope(identifiers, instances, signal), ...(storage ? { version: storage.version } : {}) };
  let before = Number.POSITIVE_INFINITY;
  for (let checkMs = firstCheckMs; ; checkMs = Math.min(2 * checkMs, longestCheckMs)) {
    const { items, remaining = 0 } = await instances.list(scope, { at: { kind: 'latest' }, limit: pageSize });
    const count = items.length + remaining;
    if (count === 0) return;
    if (isFirst || count >= before) await deletePage({ ...scope, namespace: '' }, instances, items);
    before = count;
    await pause(checkMs, signal, { ref: false });
    signal.throwIfAborted();
  }
}

/** Deletes the objects of the namespaces that a page shows. */
async function deletePage(
  scope: RequestScope,
  instances: ResourceRegistry,
  items: readonly { readonly json: Buffer }[],
): Promise<void> {
  const namespaces = new Set(items.map(({ json }) => namespaceOf(JSON.parse(json.toString('utf8')) as JsonObject)));
  for (const namespace of namespaces) {
    await instances.deleteCollection({ ...scope, namespace }, { at: { kind: 'latest' }, limit: 0 }, { dryRun: false });
  }
}
