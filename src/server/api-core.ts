import { isSince } from '../scheme/api-release.ts';
import type { Logger } from 'pino';
import type { AdmissionChain } from '../admission/admission.ts';
import { createChain } from '../admission/chain/create-chain.ts';
import { measuredChain } from '../admission/chain/measured-chain.ts';
import { staticNames } from '../admission/chain/static-names.ts';
import type { StaticObjectsOf } from '../admission/static-objects.ts';
import type { ReviewImages } from '../admission/plugins/image-policy-webhook/image-policy-webhook.ts';
import { checkDecider } from './access/check-decider.ts';
import { paramRights } from '../admission/policies/param-rights.ts';
import { policyParams } from './policy-params.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Rbac } from '../authz/rbac/rbac.ts';
import { decodeJsonAnswer } from '../codec/decode-large.ts';
import { labelsOf } from '../meta/object-meta.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { webhookClients, type WebhookTunnels } from '../outbound/webhooks/webhook-clients.ts';
import { createRegistries } from '../registry/create-registries.ts';
import type { SubresourceCreate } from '../registry/definition/strategy.ts';
import type { Registries } from '../registry/definition/registry.ts';
import { conversionMetrics } from '../apiextensions/conversion/conversion-metrics.ts';
import type { ConversionWebhooks } from '../apiextensions/conversion/conversion-webhook.ts';
import { deviceReferences } from '../resources/rules/devices/device-references.ts';
import { podCertificateSigning } from '../admission/pod-certificate-signing.ts';
import { escalationCheck } from '../resources/rbac.authorization/escalation-check.ts';
import { namespaceCreator, podLister, quotaStatusWriter, resourceFinder, rightDecider } from './admission-calls.ts';
import type { ApiCache } from './cache/api-cache.ts';
import { releasedVersions } from '../config/served-api.ts';
import { featuresOf } from '../config/feature-gates.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { type ServiceAllocation, serviceAllocation } from './post-start/service-allocation.ts';
import { tracedCaches } from './cache/traced-caches.ts';
import type { Tracing } from '../tracing/span.ts';

/** The layer below HTTP: the registries of all resources over one store and its cache. */
export interface ApiCore extends ApiCache {
  readonly registries: Registries;
  readonly admission: AdmissionChain;
  readonly services: ServiceAllocation;
  /** Convert custom resources. */
  readonly conversionWebhooks: ConversionWebhooks;
}

interface CoreDependencies {
  /** Asks the backend of image policy; absent if the plugin does not run. */
  readonly reviewImages?: ReviewImages | undefined;
  /** Returns the policies and webhooks from manifest files. */
  readonly staticObjects?: StaticObjectsOf;
  /** Creates of sub-resources that depend on the server; none if absent. */
  readonly creates?: Readonly<Record<string, SubresourceCreate<never>>>;
  readonly cache: ApiCache;
  /** The authorizers that admission asks about the permissions that a write implies. */
  readonly authorizers: readonly Authorizer[];
  readonly rbac: Rbac;
  /** Gets the families of admission. */
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Creates spans; absent if the server does not trace. */
  readonly tracing?: Tracing | undefined;
  /** The tunnels to webhooks. */
  readonly tunnels?: WebhookTunnels;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** Builds the registries over a cache. Nothing is read before the first request. */
export function createApiCore(options: ServerOptions, dependencies: CoreDependencies): ApiCore {
  const {
    cache,
    reviewImages,
    staticObjects = () => undefined,
    creates = {},
    authorizers,
    rbac,
    metrics,
    log,
    tracing,
    tunnels,
    signal: stopped,
  } = dependencies;
  const { identifiers, catalogue, store, caches, listerOf } = cache;
  const ofRegistries = (): Registries => registries;
  const decide = rightDecider(authorizers);
  const findResource = resourceFinder(catalogue);
  const resolveService = serviceResolver(listerOf, options.serviceResolver);
  const chainDependencies = {
    metrics,
    emulated: releasedVersions(options),
    reviewImages,
    listPods: podLister(identifiers, ofRegistries),
    identifiers,
    listerOf,
    resolveService,
    log,
    signal: stopped,
    decide,
    findResource,
    createNamespace: namespaceCreator(identifiers, ofRegistries),
    writeQuotaStatus: quotaStatusWriter(identifiers, ofRegistries),
    staticObjects,
    tracing,
    tunnels,
    decideCheck: checkDecider(authorizers, featuresOf(options).isEnabled('AuthorizeWithSelectors')),
    findParams: policyParams(identifiers, catalogue, (info) => registries.of(info)),
    tolerationSeconds: {
      notReady: options.defaultNotReadyTolerationSeconds,
      unreachable: options.defaultUnreachableTolerationSeconds,
    },
  };
  const namespaceLabels = listerOf({ group: '', resource: 'namespaces', read: labelsOf });
  const services = serviceAllocation(options, {
    identifiers,
    store,
    listerOf,
    registries: ofRegistries,
    ...allocationFeatures(options, cache),
    metrics,
    log,
  });
  const admission: AdmissionChain = [
    ...measuredChain(
      createChain(chainDependencies, options.admissionPlugins, options.admissionConfigurations),
      metrics,
    ),
    escalationCheck({ identifiers, authorizers, rbac }),
    paramRights({ identifiers, listerOf, decide, findResource }),
    ...[staticNames(chainDependencies)].filter((plugin) => plugin !== undefined),
    podCertificateSigning(chainDependencies),
  ];
  const registries: Registries = createRegistries({
    identifiers,
    catalogue,
    store,
    caches: tracing ? tracedCaches(caches, tracing) : caches,
    prefix: options.prefix,
    creates,
    references: deviceReferences(decide, async (name, signal) => (await namespaceLabels.get('', name, signal)) ?? {}),
    allocators: { '/services': services.allocator },
    ttlSeconds: options.eventTtlMs === 0 ? undefined : Math.ceil(options.eventTtlMs / 1000),
    isCollected: options.enableGarbageCollector,
    parallelDeletes: options.deleteCollectionWorkers,
    admission,
    decide,
  });
  const clients = webhookClients({
    signal: stopped,
    userAgent: `${identifiers.prefix}apiserver`,
    resolveService,
    credentials: async () => new Map(),
    parse: decodeJsonAnswer,
    tunnels,
    tracing,
  });
  const conversionWebhooks: ConversionWebhooks = {
    group: `apiextensions.${identifiers.apiDomain}`,
    clients,
    metrics: conversionMetrics(metrics),
    tracing,
    signal: stopped,
  };
  return { ...cache, registries, admission, services, conversionWebhooks };
}

/** The options of the allocation of Services that depend on the release and on served resources. */
function allocationFeatures(options: ServerOptions, { catalogue, identifiers }: ApiCache) {
  const { isFeatureEnabled, release } = releasedVersions(options);
  const hasAddressObjects = ['ipaddresses', 'servicecidrs'].every(
    (resource) => catalogue.current.resource(`networking.${identifiers.apiDomain}`, resource) !== undefined,
  );
  return {
    usesObjects: hasAddressObjects && isFeatureEnabled('MultiCIDRServiceAllocator'),
    writesBoth: !isFeatureEnabled('DisableAllocatorDualWrite'),
    hasStaticPart: {
      addresses: isSince(release, '1.26') || isFeatureEnabled('ServiceIPStaticSubrange'),
      ports: isSince(release, '1.29') || isFeatureEnabled('ServiceNodePortStaticSubrange'),
    },
  };
}
