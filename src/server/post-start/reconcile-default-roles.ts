import { type Reconciliation, reconcileBinding, reconcileRole } from '../../authz/rbac/reconcile-role.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf, uidOf } from '../../meta/object-meta.ts';
import { hasReason, systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import { type DefaultObject, defaultObjects } from '../../resources/rbac.authorization/defaults/default-objects.ts';

interface DefaultRoleDependencies {
  readonly registries: Registries;
  readonly catalogue: LiveCatalogue;
  readonly identifiers: Identifiers;
  /** The release whose roles they are. */
  readonly release: string;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
}

/** Objects that are written at the same time. */
const concurrency = 16;

/** Attempts for an object that others write at the same time. */
const maxAttempts = 3;

/**
 * Creates the default roles and bindings that do not exist, and adds missing rules and subjects to
 * the others. Objects whose annotation `autoupdate` is `false` are left alone. Several servers may
 * do so concurrently. Called before the server is ready, with the cache filled.
 */
export async function reconcileDefaultRoles(
  { registries, catalogue, identifiers, release, isFeatureEnabled }: DefaultRoleDependencies,
  signal: AbortSignal,
): Promise<void> {
  const group = `rbac.authorization.${identifiers.apiDomain}`;
  const selfReviews =
    catalogue.current.resource(`authentication.${identifiers.apiDomain}`, 'selfsubjectreviews') !== undefined;
  const pending = defaultObjects(identifiers, { selfReviews, release, isFeatureEnabled })[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const wanted of pending) {
      const registry = registries.forResource(group, wanted.resource);
      if (registry) await reconcile(registry, systemScope(identifiers, registry, signal), wanted);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  // One current read: the cache, and with it the authorizer, then has all that was written.
  const registry = registries.forResource(group, 'clusterroles');
  if (registry)
    await currentObject(registry, { ...systemScope(identifiers, registry, signal), name: 'admin' }, 'latest');
}

async function reconcile(registry: ResourceRegistry, system: RequestScope, wanted: DefaultObject): Promise<void> {
  const scope = { ...system, namespace: wanted.namespace, name: nameOf(wanted.object) };
  for (let attempt = 1; ; attempt++) {
    try {
      // The cache suffices: a write that starts from an old state conflicts.
      await reconcileOnce(registry, scope, wanted, attempt === 1 ? 'any' : 'latest');
      return;
    } catch (error) {
      const lost = ['AlreadyExists', 'Conflict', 'NotFound'].some((reason) => hasReason(error, reason));
      if (!lost || attempt === maxAttempts) throw error;
    }
  }
}

async function reconcileOnce(
  registry: ResourceRegistry,
  scope: RequestScope,
  { resource, object }: DefaultObject,
  freshness: 'any' | 'latest',
): Promise<void> {
  const write = systemWrite(scope.identifiers);
  const current = await currentObject(registry, scope, freshness);
  if (!current) {
    await registry.create({ ...scope, name: '' }, structuredClone(object), write);
    return;
  }
  const options = { labelDomain: scope.identifiers.labelDomain, removeExtra: false };
  const isBinding = resource === 'clusterrolebindings' || resource === 'rolebindings';
  const change: Reconciliation = (isBinding ? reconcileBinding : reconcileRole)(current, object, options);
  if (change.action === 'update') await registry.update(scope, change.object, write);
  if (change.action !== 'recreate') return;
  await registry.delete(scope, { dryRun: false, preconditions: { uid: uidOf(current) } });
  await registry.create({ ...scope, name: '' }, structuredClone(change.object), write);
}

async function currentObject(
  registry: ResourceRegistry,
  scope: RequestScope,
  kind: 'any' | 'latest',
): Promise<JsonObject | undefined> {
  try {
    // Written by this server, in a version that it serves.
    return JSON.parse((await registry.get(scope, { kind })).json.toString()) as JsonObject;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
