import type { Logger } from 'pino';
import type { Aggregation } from '../../api/http-dependencies.ts';
import { createForward } from '../forward/create-forward.ts';
import { isRemote, type RemoteApiService } from '../../api/api-services/api-service.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import type { ResolveService } from '../../outbound/service-resolver.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import type { MutableCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { localPriorities } from '../../resources/apiregistration/apiservices/local-priorities.ts';
import type { WatchCache } from '../../storage/cache/watch-cache.ts';
import { AvailabilityChecks } from './availability.ts';
import { aggregationMetrics } from './aggregation-metrics.ts';
import { aggregatorHeaders, checkDiscovery } from './check-discovery.ts';
import { FollowedApiServices } from './follow-api-services.ts';
import { LocalApiServices } from './local-api-services.ts';
import { documentReader } from './ask-document.ts';
import { createRemoteDocuments } from './create-remote-documents.ts';
import { ServiceObjects } from './service-objects.ts';
import type { RemoteResources } from '../../api/discovery/discovered-groups.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { sameValue, objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import type { OpenTunnel } from '../../outbound/proxy/send-connect.ts';
import { type Backend, createBackend } from '../../outbound/backend.ts';

/** The certificate and key that this server shows to others, in PEM. */
interface ProxyCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The connections to a server, and the settings that they depend on. */
interface Entry {
  readonly key: string;
  readonly certificate: ProxyCertificate | undefined;
  readonly backend: Backend;
}

/** The connections to the servers of APIServices. Each APIService has its own. */
class Backends {
  readonly #entries = new Map<string, Entry>();
  readonly #certificate: () => ProxyCertificate | undefined;
  readonly #tunnel: OpenTunnel | undefined;

  /** `certificate` returns the same object until the certificate changes. */
  constructor({ certificate, tunnel }: Pick<AggregationDependencies, 'certificate' | 'tunnel'>) {
    this.#certificate = certificate;
    this.#tunnel = tunnel;
  }

  /** Returns the connections for the present state of an APIService. */
  of({ name, service, caBundle, insecure }: RemoteApiService): Backend {
    const serverName = `${service.name}.${service.namespace}.svc`;
    const certificate = this.#certificate();
    const key = JSON.stringify([serverName, caBundle, insecure]);
    const known = this.#entries.get(name);
    if (known && known.key === key && known.certificate === certificate) return known.backend;
    known?.backend.close();
    const ca = caBundle === '' ? {} : { ca: caBundle };
    const backend = createBackend({ ...ca, insecure, serverName, ...certificate, tunnel: this.#tunnel });
    this.#entries.set(name, { key, certificate, backend });
    return backend;
  }

  /** Closes the connections of an APIService that is gone, once its requests have ended. */
  forget(name: string): void {
    this.#entries.get(name)?.backend.close();
    this.#entries.delete(name);
  }

  close(): void {
    for (const name of this.#entries.keys()) this.forget(name);
  }
}

/** The resources that other servers have shown in the checks of their availability. */
class RemoteVersions implements RemoteResources {
  #current: RemoteResources['current'] = new Map();

  get current(): RemoteResources['current'] {
    return this.#current;
  }

  /** Takes the APIResourceList of a version; undefined if the server gave none. */
  take({ name, group, version }: RemoteApiService, list: JsonObject | undefined): void {
    const known = this.#current.get(name);
    const resources = list ? convertResources(list, { group, version }) : (known?.resources ?? []);
    const isFresh = list !== undefined;
    if (known && known.isFresh === isFresh && sameValue([...known.resources], [...resources])) return;
    this.#current = new Map([...this.#current, [name, { resources, isFresh }]]);
  }

  /** Forgets an APIService that is gone, or that this server serves. */
  forget(name: string): void {
    if (!this.#current.has(name)) return;
    this.#current = new Map([...this.#current].filter(([other]) => other !== name));
  }
}

/** The dependencies of aggregated servers. */
interface AggregationDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: MutableCatalogue;
  readonly caches: WatchCache;
  readonly listerOf: ListerOf;
  readonly registries: Registries;
  readonly resolveService: ResolveService;
  /** The certificate for other servers; undefined: this server shows none. */
  readonly certificate: () => ProxyCertificate | undefined;
  /** The tunnel to Services; undefined: direct connections. */
  readonly tunnel: OpenTunnel | undefined;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The aggregation of a server. */
export interface ServedAggregation {
  /** For the HTTP layer. */
  readonly aggregation: Aggregation;
  /**
   * Follows the APIServices, and writes the ones of the built-in versions. Called at the start, and
   * again after a change of the store.
   */
  prepare(): Promise<void>;
  /**
   * Keeps the APIServices of custom resources from now on. Called once the server is ready, which
   * thousands of them must not delay.
   */
  keepCustom(): Promise<void>;
}

/**
 * Creates the aggregation of other servers (APIServices). Nothing is read before `prepare`.
 * Undefined if APIServices are not served.
 */
export function createAggregation(dependencies: AggregationDependencies): ServedAggregation | undefined {
  const { identifiers, catalogue, caches, listerOf, registries, resolveService, metrics, log, signal } = dependencies;
  const registry = registries.forResource(`apiregistration.${identifiers.apiDomain}`, 'apiservices');
  if (!registry) return undefined;
  const builtInGroups = new Map(catalogue.current.groups.map(({ group, shortGroup }) => [group, shortGroup]));
  const followed = new FollowedApiServices(registry.info.group, signal);
  const { services } = followed;
  const backends = new Backends(dependencies);
  const source = {
    backendOf: (service: RemoteApiService) => backends.of(service),
    addressOf: async ({ service }: RemoteApiService, cancel: AbortSignal): Promise<ServerAddress> =>
      resolveService(service, cancel),
  };
  const headers = aggregatorHeaders(identifiers.prefix);
  const remotes = new RemoteVersions();
  const results = aggregationMetrics();
  metrics.register(...results.families);
  const checks = new AvailabilityChecks({
    identifiers,
    registry,
    services,
    log,
    signal,
    objects: new ServiceObjects(listerOf, (resource) => {
      const info = catalogue.current.resource('', resource);
      return info && cacheOf(caches, info);
    }),
    check: async (service, cancel) => {
      const { availability, resources } = await checkDiscovery(source, service, headers, cancel);
      if (resources) remotes.take(service, resources);
      return availability;
    },
    record: (service, availability) => {
      results.record(service.name, availability);
      if (availability.status !== 'True') remotes.take(service, undefined);
    },
  });
  const localServices = new LocalApiServices({
    followed,
    identifiers,
    catalogue,
    registry,
    builtInGroups,
    log,
    signal,
  });
  followed.onChange((name) => {
    const one = services.get(name);
    if (!one || !isRemote(one)) {
      backends.forget(name);
      results.forget(name);
      remotes.forget(name);
    }
    checks.changed(name);
  });
  signal.addEventListener('abort', () => backends.close(), { once: true });
  let isPrepared = false;
  return {
    aggregation: {
      services,
      createForward: (options) => createForward(source, options),
      prioritiesOf: (group, version) => localPriorities(builtInGroups.get(group), version),
      resources: remotes,
      documents: createRemoteDocuments({
        available: () => services.remotes().filter(({ isAvailable }) => isAvailable),
        find: (group, version) => services.remote(group, version),
        ask: documentReader(source, headers, signal),
      }),
    },
    async prepare() {
      const cache = cacheOf(caches, registry.info);
      if (!isPrepared && cache) followed.follow(cache);
      await cache?.fresh({ kind: 'latest' }, signal);
      await followed.caughtUp();
      // A server of another release may have started meanwhile, with versions that this server
      // lacks.
      await localServices.ensureBuiltIn({ removes: !isPrepared });
      isPrepared = true;
    },
    keepCustom: () => localServices.keepCustom(),
  };
}

/** A version of a group. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Converts an APIResourceList to the resources of aggregated discovery, in the order of the list.
 * Sub-resources join their resource; one without a resource makes an entry for it.
 */
function convertResources(list: JsonObject, own: GroupVersion): readonly JsonObject[] {
  const resources = new Map<string, JsonObject>();
  const subresources = new Map<string, JsonObject[]>();
  for (const one of objectsAt(list, 'resources')) {
    const [name, subresource] = splitOnce(stringAt(one, 'name'));
    if (subresource === undefined) {
      resources.set(name, resourceOf(name, one, own));
      continue;
    }
    const known = subresources.get(name) ?? [];
    known.push({ subresource, responseKind: kindOf(one, own), verbs: stringsAt(one, 'verbs').toSorted() });
    subresources.set(name, known);
    if (!resources.has(name)) resources.set(name, { resource: name, responseKind: {}, scope: scopeOf(one), verbs: [] });
  }
  return [...resources].map(([name, one]) => {
    const parts = subresources.get(name);
    return parts ? { ...one, subresources: parts } : one;
  });
}

function resourceOf(resource: string, one: JsonObject, own: GroupVersion): JsonObject {
  const [shortNames, categories] = [stringsAt(one, 'shortNames'), stringsAt(one, 'categories')];
  return {
    resource,
    responseKind: kindOf(one, own),
    scope: scopeOf(one),
    singularResource: stringAt(one, 'singularName'),
    verbs: stringsAt(one, 'verbs').toSorted(),
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
  };
}

function kindOf(one: JsonObject, { group, version }: GroupVersion): JsonObject {
  const hasVersion = stringAt(one, 'version') !== '';
  return {
    group: hasVersion ? stringAt(one, 'group') : group,
    version: hasVersion ? stringAt(one, 'version') : version,
    kind: stringAt(one, 'kind'),
  };
}

function scopeOf(one: JsonObject): string {
  return one['namespaced'] === true ? 'Namespaced' : 'Cluster';
}

function splitOnce(name: string): readonly [string, string?] {
  const slash = name.indexOf('/');
  return slash < 0 ? [name] : [name.slice(0, slash), name.slice(slash + 1)];
}
