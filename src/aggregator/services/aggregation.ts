import type { Logger } from 'pino';
import type { Aggregation } from '../../api/http-dependencies.ts';
import { createForward } from '../forward/forward.ts';
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
import { Backends, type ProxyCertificate } from './backends.ts';
import { aggregatorHeaders, checkDiscovery } from './check-discovery.ts';
import { FollowedApiServices } from './follow-api-services.ts';
import { LocalApiServices } from './local-api-services.ts';
import { documentReader } from './ask-document.ts';
import { createRemoteDocuments } from './remote-documents.ts';
import { RemoteVersions } from './remote-versions.ts';
import { ServiceObjects } from './service-objects.ts';

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
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The aggregation of a server. */
export interface ServedAggregation {
  /** For the HTTP layer. */
  readonly aggregation: Aggregation;
  /**
   * Follows the APIServices, and writes those of the built-in versions. Called at the start, and
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
  const backends = new Backends(dependencies.certificate);
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
      isPrepared = true;
      await localServices.ensureBuiltIn();
    },
    keepCustom: () => localServices.keepCustom(),
  };
}
