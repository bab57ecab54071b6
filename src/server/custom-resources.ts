import type { Logger } from 'pino';
import { performance } from 'node:perf_hooks';
import { restAfter } from '../async/next-turn.ts';
import { pause } from '../async/pause.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { deletionTimestampOf, finalizersOf, nameOf } from '../meta/object-meta.ts';
import { objectAt, sameValue, stringAt } from '../meta/read-field.ts';
import { cacheOf } from '../registry/create-registries.ts';
import { hasReason, systemScope } from '../registry/ensure-object.ts';
import { PendingChanges } from '../registry/pending-changes.ts';
import { changeObject } from '../registry/reconcile-object.ts';
import type { Registries, ResourceRegistry } from '../registry/registry.ts';
import type { ResourceDefinition } from '../registry/resource-definition.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import type { StoredKind } from '../registry/stored-kinds.ts';
import { customResourceOf } from '../resources/apiextensions/custom-resources/custom-resource.ts';
import { storedCustomKind } from '../resources/apiextensions/custom-resources/stored-custom-kind.ts';
import { acceptNames } from '../resources/apiextensions/customresourcedefinitions/accept-names.ts';
import { isCleanupFinalizer } from '../resources/apiextensions/customresourcedefinitions/cleanup-finalizer.ts';
import { isConditionTrue } from '../resources/apiextensions/customresourcedefinitions/conditions.ts';
import type { ApiCache } from './api-cache.ts';
import { deleteInstances } from './delete-instances.ts';

/** The dependencies of the custom resources. */
interface CustomResourceDependencies extends Pick<ApiCache, 'identifiers' | 'catalogue' | 'caches'> {
  readonly registries: Registries;
  /** Gets the kinds whose stored objects need conversion, by the segment of their keys. */
  readonly customKinds: Map<string, StoredKind>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The definitions of the server, by their keys in the store. */
interface KnownDefinitions {
  readonly all: ReadonlyMap<string, JsonObject>;
  /** The groups that no definition can change. */
  readonly builtInGroups: ReadonlySet<string>;
}

/** A resource in the catalogue, and what it was made from. */
interface ServedDefinition {
  readonly definition: ResourceDefinition;
  readonly crd: JsonObject;
}

/** The first pause before a failed write is tried again; it doubles up to the second. */
const firstRetryMs = 100;
const longestRetryMs = 5_000;

/**
 * Serves the resources that CustomResourceDefinitions define, as soon as the cache has these: gives
 * them their names and conditions, keeps the catalogue up to date, and deletes the objects of a
 * definition that is deleted. Every server of a store does so; their writes lead to the same.
 * Returns a function that resolves when all definitions of the store were read.
 */
export function serveCustomResources(dependencies: CustomResourceDependencies): {
  readonly ready: () => Promise<void>;
} {
  const { identifiers, catalogue, caches, registries, log, signal } = dependencies;
  const group = `apiextensions.${identifiers.apiDomain}`;
  const registry = registries.forResource(group, 'customresourcedefinitions');
  const cache = registry && cacheOf(caches, registry.info);
  if (!registry || !cache) return { ready: () => Promise.resolve() };
  const definitions = new Map<string, JsonObject>();
  const served = new Map<string, ServedDefinition>();
  const changed = new Set<string>();
  const changes = new PendingChanges((key, current) => {
    const crd = current?.decode();
    changed.add(key);
    if (crd) definitions.set(key, crd);
    else definitions.delete(key);
  });
  const builtInGroups = new Set(catalogue.current.groups.map((one) => one.group));
  const known: KnownDefinitions = { all: definitions, builtInGroups };
  const work = new DefinitionWork(dependencies, registry, known);
  const refresh = async (): Promise<void> => {
    await changes.catchUp(signal);
    if (signal.aborted || changed.size === 0) return;
    const keys = [...changed];
    changed.clear();
    // Many definitions take several turns of the event loop.
    let startMs = performance.now();
    const rest = async (): Promise<void> => {
      const pending = restAfter(startMs);
      if (!pending) return;
      await pending;
      startMs = performance.now();
    };
    for (const key of keys) {
      if (!isOfBuiltInGroup(known, definitions.get(key))) serve(dependencies, served, key, definitions.get(key));
      work.add(key);
      await rest();
    }
    // Names that others wait for may be free now.
    for (const [key, crd] of definitions) {
      if (isConditionTrue(crd, 'NamesAccepted')) continue;
      work.add(key);
      await rest();
    }
  };
  let last = Promise.resolve();
  const refreshNext = (): Promise<void> => {
    last = last.then(refresh).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'the CustomResourceDefinitions could not be followed');
    });
    return last;
  };
  let isDue = false;
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      void refreshNext();
    });
  };
  cache.follow({
    replace: (objects) => {
      changes.replace(objects);
      soon();
    },
    change: (key, current) => {
      changes.change(key, current);
      soon();
    },
  });
  return {
    ready: async () => {
      await cache.fresh({ kind: 'latest' }, signal);
      await refreshNext();
      log.debug(
        { definitions: definitions.size, groups: catalogue.current.groups.length },
        'custom resources are served',
      );
    },
  };
}

function isOfBuiltInGroup({ builtInGroups }: KnownDefinitions, crd: JsonObject | undefined): boolean {
  return crd !== undefined && builtInGroups.has(stringAt(objectAt(crd, 'spec'), 'group'));
}

/** Puts the resource of a definition into the catalogue, replaces it, or removes it. */
function serve(
  { catalogue, customKinds, identifiers, log }: CustomResourceDependencies,
  served: Map<string, ServedDefinition>,
  key: string,
  crd: JsonObject | undefined,
): void {
  const before = served.get(key);
  try {
    if (before && crd && isSame(before.crd, crd)) {
      if (!isDeleted(crd) || isDeleted(before.crd)) return;
      // The same resource with the same cache: its watches see how its objects go.
      const definition = withoutCreates(before.definition);
      catalogue.put(definition);
      served.set(key, { definition, crd });
      return;
    }
    const custom = crd && isConditionTrue(crd, 'Established') ? customResourceOf(crd) : undefined;
    const next = custom?.served;
    const { storage } = custom?.known ?? {};
    const kind = custom && storedCustomKind(identifiers, custom.known);
    if (storage && kind) customKinds.set(resourceSegment(storage), kind);
    if (before && !next) {
      const { group, resource } = before.definition;
      catalogue.remove(group, resource);
      served.delete(key);
      if (!custom) customKinds.delete(resourceSegment({ group, resource }));
    }
    if (!next || !crd) return;
    const definition = isDeleted(crd) ? withoutCreates(next) : next;
    catalogue.put(definition);
    served.set(key, { definition, crd });
  } catch (error) {
    log.error({ err: error, key }, 'the resource of a CustomResourceDefinition could not be served');
  }
}

function isDeleted(crd: JsonObject): boolean {
  return deletionTimestampOf(crd) !== '';
}

/** A resource whose objects are being deleted: no others may join them. */
function withoutCreates(definition: ResourceDefinition): ResourceDefinition {
  const versions = definition.versions.map((version) => ({
    ...version,
    verbs: version.verbs.filter((verb) => verb !== 'create'),
  }));
  return { ...definition, versions };
}

/** Reports whether two states of a definition define the same. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return (
    sameValue(one['spec'], other['spec']) &&
    sameValue(objectAt(one, 'status')['acceptedNames'], objectAt(other, 'status')['acceptedNames'])
  );
}

/** The writes for definitions, one after the other for each. */
class DefinitionWork {
  readonly #dependencies: CustomResourceDependencies;
  readonly #registry: ResourceRegistry;
  readonly #known: KnownDefinitions;
  readonly #running = new Map<string, { again: boolean }>();

  constructor(dependencies: CustomResourceDependencies, registry: ResourceRegistry, known: KnownDefinitions) {
    this.#dependencies = dependencies;
    this.#registry = registry;
    this.#known = known;
  }

  /** Does what the present state of a definition asks for, soon. */
  add(key: string): void {
    const running = this.#running.get(key);
    if (running) running.again = true;
    else void this.#run(key);
  }

  async #run(key: string, pauseMs = firstRetryMs): Promise<void> {
    const state = { again: false };
    this.#running.set(key, state);
    const { log, signal } = this.#dependencies;
    let failed = false;
    try {
      const crd = this.#known.all.get(key);
      if (crd) await this.#reconcile(crd);
    } catch (error) {
      failed = !hasReason(error, 'NotFound');
      if (failed && !signal.aborted) log.warn({ err: error, key }, 'a CustomResourceDefinition could not be updated');
    }
    // The writes of a failed run are changes, too; they must not begin the next one at once.
    if (failed) await pause(pauseMs, signal, { ref: false });
    this.#running.delete(key);
    if (signal.aborted) return;
    if (failed) void this.#run(key, Math.min(2 * pauseMs, longestRetryMs));
    else if (state.again) void this.#run(key);
  }

  async #reconcile(crd: JsonObject): Promise<void> {
    const { identifiers, signal } = this.#dependencies;
    const scope = { ...systemScope(identifiers, this.#registry, signal), name: nameOf(crd) };
    if (deletionTimestampOf(crd) !== '') {
      if (!finalizersOf(crd).some(isCleanupFinalizer)) return;
      await deleteInstances(this.#dependencies, this.#registry, crd, this.#instancesOf(crd));
      return;
    }
    const accept = (found: JsonObject): JsonObject => acceptNames(found, this.#known.all.values());
    if (accept(crd) === crd) return;
    await changeObject(this.#registry, { ...scope, subresource: 'status' }, (found) => {
      if (deletionTimestampOf(found) !== '') return undefined;
      const next = accept(found);
      return next === found ? undefined : next;
    });
  }

  /** All objects of a definition, served or not. Those of built-in resources are none of them. */
  #instancesOf(crd: JsonObject): ResourceRegistry | undefined {
    if (isOfBuiltInGroup(this.#known, crd) || !isConditionTrue(crd, 'Established')) return undefined;
    const custom = customResourceOf(crd);
    if (!custom) return undefined;
    const { registries } = this.#dependencies;
    const { group, resource } = custom.known;
    return registries.forResource(group, resource) ?? registries.of(custom.known);
  }
}
