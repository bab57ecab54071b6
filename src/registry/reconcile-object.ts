import type { JsonObject } from '../meta/json-value.ts';
import { nameOf } from '../meta/object-meta.ts';
import { hasReason, systemWrite } from './ensure-object.ts';
import type { RequestScope, ResourceRegistry } from './registry.ts';

/** Maximum of attempts; writes of other servers cause conflicts. */
const attempts = 10;

/**
 * Creates a named object of the system, with its status if it has one, or changes the existing one
 * to what `change` returns; undefined leaves it as it is. Several servers may do so concurrently.
 */
export async function reconcileObject(
  registry: ResourceRegistry,
  scope: RequestScope,
  object: JsonObject,
  change: (found: JsonObject) => JsonObject | undefined,
): Promise<void> {
  const named = { ...scope, name: nameOf(object) };
  for (let left = attempts; left > 0; left--) {
    try {
      // The cache suffices at first: a write that starts from an old state conflicts.
      const at = { kind: left === attempts ? 'any' : 'latest' } as const;
      const found = await registry.get({ ...named, subresource: '' }, at).catch(absentIfNotFound);
      const options = systemWrite(scope.identifiers);
      if (!found) {
        await registry.create({ ...named, name: '' }, object, { ...options, keepStatus: true });
        return;
      }
      // The registry returns a JSON object.
      const changed = change(JSON.parse(found.json.toString('utf8')) as JsonObject);
      if (changed) await registry.update(named, changed, options);
      return;
    } catch (error) {
      // Another server wrote first.
      if (left <= 1 || !(hasReason(error, 'AlreadyExists') || hasReason(error, 'Conflict'))) throw error;
    }
  }
}

function absentIfNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}
