import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { namespaceLifecycle } from '../../../src/admission/plugins/namespace-lifecycle.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { defaultRelease } from '../../../src/scheme/api-release.ts';
import { newestEmulated } from '../../../src/scheme/emulated-release.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { cacheOf, createRegistries } from '../../../src/registry/create-registries.ts';
import { cacheLister } from '../../../src/registry/read/cache-lister.ts';
import type {
  DeleteOptions,
  Registries,
  RequestScope,
  ResourceRegistry,
  VersionedObject,
  WriteOptions,
} from '../../../src/registry/definition/registry.ts';
import { MutableCatalogue } from '../../../src/registry/definition/live-catalogue.ts';
import type { Conversion } from '../../../src/registry/definition/resource-definition.ts';
import type { Strategy } from '../../../src/registry/definition/strategy.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import type { RecentObjects } from '../../../src/storage/objects/recent-objects.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { pluginContext } from '../admission/plugin-context.ts';

/** The identifiers of the tests. */
export const identifiers = identifiersOf('kubernetes');

/** Everything below HTTP over a memory store, closed by `close`. */
export interface Fixture {
  readonly store: ObjectStore;
  readonly registries: Registries;
  readonly catalogue: MutableCatalogue;
  readonly warnings: string[];
  /** The clock that objects are stamped by; tests move it. */
  readonly clock: { time: string };
  registry(resource: string, group?: string): ResourceRegistry;
  scope(overrides?: Partial<RequestScope>): RequestScope;
  revision(): Promise<number>;
  close(): Promise<void>;
}

/** What a test says is special about a kind. */
export interface KindStrategy {
  readonly group: string;
  readonly resource: string;
  readonly strategy: Strategy;
  /** By version of the short group. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
}

interface FixtureOptions {
  /** What is special about the kinds; nothing else is special about any. */
  readonly strategies?: readonly KindStrategy[];
  /** Kinds are as in a server. */
  readonly builtIn?: boolean;
  readonly plugins?: readonly AdmissionPlugin[];
  /** Look after namespaces, as a server does. */
  readonly lifecycle?: boolean;
  readonly names?: readonly string[];
  readonly store?: (store: ObjectStore) => ObjectStore;
  readonly recent?: RecentObjects;
}

/** Starts a fixture. Without `lifecycle`, namespaces need not exist. */
export function startFixture(options: FixtureOptions = {}): Fixture {
  const memory = new MemoryStore();
  const store = options.store?.(memory) ?? memory;
  const caches = new WatchCache({ store, prefix: '/registry', settings: { freshnessTimeoutMs: 1_000 } });
  const clock = { time: '2026-01-01T00:00:00Z' };
  const warnings: string[] = [];
  const names = [...(options.names ?? [])];
  let uids = 0;
  const catalogue = catalogueFor(options);
  const namespaces = catalogue.current.resource('', 'namespaces');
  const namespaceCache = namespaces && cacheOf(caches, namespaces);
  const lifecycle =
    namespaceCache &&
    namespaceLifecycle(pluginContext({ identifiers, listerOf: (spec) => cacheLister(() => namespaceCache, spec) }));
  const registries = createRegistries({
    identifiers,
    catalogue,
    store,
    caches,
    prefix: '/registry',
    ...(options.recent ? { recent: options.recent } : {}),
    admission: options.lifecycle && lifecycle ? [lifecycle] : (options.plugins ?? []),
    decide: () => Promise.resolve({ isAllowed: true, reason: '' }),
    runtime: {
      now: () => clock.time,
      newUid: () => `uid-${++uids}`,
      generateName: (base) => names.shift() ?? `${base}${++uids}`,
    },
  });
  return {
    store,
    registries,
    catalogue,
    warnings,
    clock,
    registry(resource, group = '') {
      const registry = registries.forResource(group, resource);
      if (!registry) throw new Error(`no registry for ${resource}`);
      return registry;
    },
    scope: (overrides = {}) => ({
      identifiers,
      user: { username: 'tester', uid: '', groups: [], extra: {} },
      namespace: 'ns',
      name: '',
      subresource: '',
      group: '',
      version: 'v1',
      emulated: { ...newestEmulated, release: defaultRelease },
      cancellation: new AbortController(),
      warn: (text) => warnings.push(text),
      annotate: () => {},
      ...overrides,
    }),
    revision: async () => (await store.status()).revision,
    close: async () => {
      await caches.close();
      await memory.close();
    },
  };
}

function catalogueFor({ builtIn = false, strategies = [] }: FixtureOptions): MutableCatalogue {
  const catalogue = builtInCatalogue(identifiers);
  if (builtIn) return catalogue;
  return new MutableCatalogue(
    catalogue.current.resources.map((definition) => {
      const { shortGroup, resource } = definition.storage ?? definition;
      const special = strategies.find((one) => one.group === shortGroup && one.resource === resource);
      const versions = definition.versions.map((version) => ({
        ...version,
        conversion: special?.conversions?.[version.version],
      }));
      return { ...definition, versions, strategy: special?.strategy ?? {} };
    }),
  );
}

/** Options of a write, as a client without options gets them. */
export const write: WriteOptions = { dryRun: false, fieldManager: 'tester', force: false, fieldValidation: 'Ignore' };

/** Options of a delete without any. */
export const remove: DeleteOptions = { dryRun: false };

/** What an answer holds. */
export function parsed(object: VersionedObject): JsonObject {
  const value: unknown = JSON.parse(object.json.toString('utf8'));
  return value as JsonObject;
}

/** A part of an object that must be one. */
export function child(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  if (!isJsonObject(value)) throw new Error(`${name} is no object`);
  return value;
}

/** The Status that work fails with. */
export async function refusal(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
