import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { hasReason, systemWrite } from './ensure-object.ts';
import type { RequestScope, ResourceRegistry } from '../definition/registry.ts';
import { isUnreadable } from '../read/storage-error-status.ts';

/** Maximum of attempts; writes of other servers cause conflicts. */
const attempts = 10;

/** Returns the desired object; undefined leaves the object as it is. */
type ChangeObject<T = JsonObject> = (found: T) => T | undefined;

/**
 * Creates a named object of the system, with its status if it has one, or changes the existing one.
 * Several servers may do so concurrently.
 */
export function reconcileObject(
  registry: ResourceRegistry,
  scope: RequestScope,
  object: JsonObject,
  change: ChangeObject,
): Promise<void> {
  const create = async (): Promise<void> => {
    await registry.create({ ...scope, name: '' }, object, { ...systemWrite(scope.identifiers), keepStatus: true });
  };
  return tryToChange(registry, { ...scope, name: nameOf(object) }, change, create);
}

/**
 * Changes the object of a scope, if it exists. Several servers may do so concurrently. T is the
 * stored type of its kind.
 */
export function changeObject<T = JsonObject>(
  registry: ResourceRegistry,
  scope: RequestScope,
  change: ChangeObject<T>,
): Promise<void> {
  return tryToChange(registry, scope, change as unknown as ChangeObject, undefined);
}

async function tryToChange(
  registry: ResourceRegistry,
  scope: RequestScope,
  change: ChangeObject,
  create: (() => Promise<void>) | undefined,
): Promise<void> {
  for (let left = attempts; left > 0; left--) {
    try {
      // The cache suffices at first: a write that starts from an old state conflicts.
      const at = { kind: left === attempts ? 'any' : 'latest' } as const;
      const found = await registry.get({ ...scope, subresource: '' }, at).catch(absentIfNotFound);
      if (!found && create) return await create();
      // The cache may not yet contain an object that was just created.
      if (!found && at.kind === 'any') continue;
      // The registry returns a JSON object.
      const changed = found && change(JSON.parse(found.json.toString('utf8')) as JsonObject);
      if (changed) await registry.update(scope, changed, systemWrite(scope.identifiers));
      return;
    } catch (error) {
      // It was logged when it was read, and an administrator must decide about it.
      if (isUnreadable(error)) return;
      // Another server wrote first.
      if (left <= 1 || !(hasReason(error, 'AlreadyExists') || hasReason(error, 'Conflict'))) throw error;
    }
  }
}

function absentIfNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}
