import type { Logger } from 'pino';
import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../async/yield-if-long.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { deletionTimestampOf, generationOf } from '../meta/object-meta.ts';
import { cacheOf } from '../registry/create-registries.ts';
import { PendingChanges } from '../registry/read/pending-changes.ts';
import type { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
import type { Registries } from '../registry/definition/registry.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import { type StoredKind, type CompleteObject, storedKindOf } from '../registry/versions/stored-kinds.ts';
import type { ConversionWebhooks } from './conversion/conversion-webhook.ts';
import { customResourceOf } from './custom-resources/custom-resource.ts';
import { definesSame } from './custom-resources/definition-outline.ts';
import { isConditionTrue } from './customresourcedefinitions/definition-condition.ts';
import type { WatchCache } from '../storage/cache/watch-cache.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import { DefinitionWork } from './definition-work.ts';
import { groupOf, type CachedDefinition, DefinitionCache } from './definition-cache.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { StatusError } from '../status/status-error.ts';
import { isStored } from '../registry/definition/served-version.ts';
import { applyDefaults } from '../scheme/apply-defaults.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { hasDefaults } from '../scheme/structural/default-structural.ts';

/** The dependencies of the custom resources. */
interface CustomResourceDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: MutableCatalogue;
  readonly caches: WatchCache;
  readonly registries: Registries;
  /** Convert the objects of definitions that ask for it. */
  readonly conversionWebhooks: ConversionWebhooks;
  /** Gets the kinds whose stored objects need conversion, by the segment of their keys. */
  readonly customKinds: Map<string, StoredKind>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A resource in the catalogue, and the definition that it was made from. */
interface ServedDefinition {
  readonly definition: ResourceDefinition;
  readonly from: CachedDefinition;
}

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
  const world = { ...dependencies, emulated: registry.info.emulated };
  const known = new DefinitionCache(new Set(catalogue.current.groups.map((one) => one.group)));
  const served = new Map<string, ServedDefinition>();
  const changed = new Set<string>();
  const changes = new PendingChanges((key, current) => {
    changed.add(key);
    known.set(key, current);
  });
  const work = new DefinitionWork(dependencies, registry, known);
  const refresh = async (): Promise<void> => {
    await changes.catchUp(signal);
    if (signal.aborted || changed.size === 0) return;
    const keys = [...changed];
    changed.clear();
    // Many definitions take several turns of the event loop.
    let startMs = performance.now();
    const rest = async (): Promise<void> => {
      const pending = yieldIfLong(startMs);
      if (!pending) return;
      await pending;
      startMs = performance.now();
    };
    for (const key of keys) {
      const definition = known.all.get(key);
      if (!isOfBuiltInGroup(known, definition)) serve(world, served, key, definition);
      work.add(key);
      await rest();
    }
    // Names that others wait for may be free now.
    for (const [key, { outline }] of known.all) {
      if (isConditionTrue(outline.crd, 'NamesAccepted')) continue;
      const definition = known.retryNames(key);
      if (!isOfBuiltInGroup(known, definition)) serve(world, served, key, definition);
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
        { definitions: known.all.size, groups: catalogue.current.groups.length },
        'custom resources are served',
      );
    },
  };
}

function isOfBuiltInGroup({ builtInGroups }: DefinitionCache, definition: CachedDefinition | undefined): boolean {
  return definition !== undefined && builtInGroups.has(groupOf(definition.outline.crd));
}

/** Puts the resource of a definition into the catalogue, replaces it, or removes it. */
function serve(
  dependencies: CustomResourceDependencies & Pick<ResourceDefinition, 'emulated'>,
  served: Map<string, ServedDefinition>,
  key: string,
  from: CachedDefinition | undefined,
): void {
  const { catalogue, customKinds, identifiers, conversionWebhooks, log, emulated } = dependencies;
  const before = served.get(key);
  try {
    if (before && from && definesSame(before.from.outline, from.outline)) {
      before.from.source.object = from.source.object;
      if (!isDeleted(from) || isDeleted(before.from)) return;
      // The same resource with the same cache: its watches see how its objects go.
      const definition = withoutCreates(before.definition);
      catalogue.put(definition);
      served.set(key, { definition, from: { ...before.from, outline: from.outline } });
      return;
    }
    const isServed = from !== undefined && isConditionTrue(from.outline.crd, 'Established');
    const sources = from && { readSchema: from.source.schemaOf, webhooks: conversionWebhooks, emulated };
    const custom = isServed && sources ? customResourceOf(from.outline.crd, sources) : undefined;
    const next = custom?.served;
    const { storage } = custom?.known ?? {};
    const wasChanged = from !== undefined && generationOf(from.outline.crd) > 1;
    const kind = custom && storedCustomKind(identifiers, custom.known, wasChanged);
    if (storage && kind) customKinds.set(resourceSegment(storage), kind);
    if (before && !next) {
      const { group, resource } = before.definition;
      catalogue.remove(group, resource);
      served.delete(key);
      if (!custom) customKinds.delete(resourceSegment({ group, resource }));
    }
    if (!next || !from) return;
    const definition = isDeleted(from) ? withoutCreates(next) : next;
    catalogue.put(definition);
    served.set(key, { definition, from });
  } catch (error) {
    log.error({ err: error, key }, 'the resource of a CustomResourceDefinition could not be served');
  }
}

function isDeleted({ outline }: CachedDefinition): boolean {
  return deletionTimestampOf(outline.crd) !== '';
}

/** A resource whose objects are being deleted: no others may join them. */
function withoutCreates(definition: ResourceDefinition): ResourceDefinition {
  const versions = definition.versions.map((version) => ({
    ...version,
    verbs: version.verbs.filter((verb) => verb !== 'create'),
  }));
  return { ...definition, versions };
}

/**
 * How the objects of a custom resource are read from the store: in the version in which they were
 * written, with the defaults that came to it since. If the definition has changed since it was made
 * (`wasChanged`), fields that the version no longer declares are removed.
 */
function storedCustomKind(
  identifiers: Identifiers,
  known: ResourceDefinition,
  wasChanged: boolean,
): StoredKind | undefined {
  if (!isStored(known)) return undefined;
  return storedKindOf(identifiers, known, ({ schema }) => completionOf(schema, wasChanged));
}

function completionOf(schema: ObjectSchema, wasChanged: boolean): CompleteObject | undefined {
  const { structural } = schema;
  if (!structural) return undefined;
  const fills = hasDefaults(structural);
  const prunes = wasChanged && !structural.keepsAll;
  if (!fills && !prunes) return undefined;
  return (object) => {
    const { value, unknownFields } = prunes ? decodeObject(schema, object) : { value: object, unknownFields: [] };
    const isWhole = !fills || isFilled(schema, value);
    // Some defaults may have been filled in.
    if (!isWhole) return prunes ? decodeObject(schema, object).value : undefined;
    return fills || unknownFields.length > 0 ? value : undefined;
  };
}

/** Fills in defaults; false if they would be too many, and the object is read without them. */
function isFilled(schema: ObjectSchema, value: JsonObject): boolean {
  try {
    applyDefaults(schema, value);
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'RequestEntityTooLarge') return false;
    throw error;
  }
}
