import { isSince } from '../scheme/api-release.ts';
import type { Logger } from 'pino';
import type { AdmissionChain } from '../admission/admission.ts';
import { createChain } from '../admission/chain/create-chain.ts';
import { measuredChain } from '../admission/chain/measured-chain.ts';
import { staticNames } from '../admission/chain/static-names.ts';
import type { StaticObjectsOf } from '../admission/static-objects.ts';
import type { ReviewImages } from '../admission/plugins/image-policy-webhook/image-policy-webhook.ts';
import type { CreateNamespace } from '../admission/plugins/namespace-auto-provision.ts';
import type { ResourceQuota, Pod } from '../gen/stored/core-v1.ts';
import type { WriteQuotaStatus } from '../admission/plugins/resource-quota/quota-ledger.ts';
import type { FindResource } from '../admission/plugins/owner-references-permission-enforcement.ts';
import type { DecideRight } from '../admission/resource-right.ts';
import { checkDecider } from './access/check-decider.ts';
import { paramRights } from '../admission/policies/param-rights.ts';
import { policyParams } from './policy-params.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Rbac } from '../authz/rbac/rbac.ts';
import { decideAccess } from '../authz/decide-access.ts';
import { decodeJsonAnswer } from '../codec/decode-large.ts';
import { labelsOf, nameOf, namespaceOf } from '../meta/object-meta.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { webhookClients, type WebhookTunnels } from '../outbound/webhooks/webhook-clients.ts';
import { ensureObject, systemScope, systemWrite } from '../registry/internal/ensure-object.ts';
import { createRegistries } from '../registry/create-registries.ts';
import type { SubresourceCreate } from '../registry/definition/strategy.ts';
import type { Registries, ResourceRegistry } from '../registry/definition/registry.ts';
import { conversionMetrics } from '../apiextensions/conversion/conversion-metrics.ts';
import type { ConversionWebhooks } from '../apiextensions/conversion/conversion-webhook.ts';
import { deviceReferences } from '../resources/rules/devices/device-references.ts';
import { podCertificateSigning } from '../admission/pod-certificate-signing.ts';
import { escalationCheck } from '../resources/rbac.authorization/escalation-check.ts';
import { notServed } from '../status/status-error.ts';
import type { ApiCache } from './cache/api-cache.ts';
import { releasedVersions } from '../config/served-api.ts';
import { featuresOf } from '../config/feature-gates.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { type ServiceAllocation, serviceAllocation } from './post-start/service-allocation.ts';
import type { ListPods } from '../admission/plugins/pod-security/existing-pods.ts';
import { valueOf } from '../codec/document.ts';
import { tracedCaches } from './cache/traced-caches.ts';
import type { Tracing } from '../tracing/span.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';

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
  const decide: DecideRight = async (right) => {
    const { decision, reason, evaluationError } = await decideAccess(authorizers, {
      ...right,
      resourceRequest: true,
      path: '',
    });
    return { isAllowed: decision === 'allow', reason, error: evaluationError };
  };
  const findResource: FindResource = (group, version, kind) => {
    const { current } = catalogue;
    // Kinds in lower case are known too, as to the discovery client of kube-apiserver.
    const ofLowerCase = () =>
      current.group(group)?.resources.find((one) => one.kind.toLowerCase() === kind)?.kind ?? '';
    const info = (current.findKind(group, version, kind) ?? current.findKind(group, version, ofLowerCase()))?.info;
    return info && { group, version, resource: info.resource, namespaced: info.namespaced };
  };
  const createNamespace: CreateNamespace = async (name, signal) => {
    const namespaces = registries.forResource('', 'namespaces');
    if (namespaces)
      await ensureObject(namespaces, systemScope(identifiers, namespaces, signal), { metadata: { name } });
  };
  const writeQuotaStatus: WriteQuotaStatus = async ({ old, quota, changed }, signal) => {
    const quotas = registries.forResource('', 'resourcequotas');
    if (!quotas) throw notServed();
    const place = { namespace: namespaceOf(quota), name: nameOf(quota), subresource: 'status' };
    const scope = { ...systemScope(identifiers, quotas, signal), ...place };
    const paths = changed.map((name) => ['f:status', 'f:used', `f:${name}`]);
    const write = systemWrite(identifiers);
    const written = await quotas.changeOwnValues(scope, { old, object: quota, paths }, write);
    if (written) return written as ResourceQuota;
    const { object } = await quotas.update(scope, quota, write);
    // The registry returns an object of its resource.
    return JSON.parse(object.json.toString('utf8')) as ResourceQuota;
  };
  const resolveService = serviceResolver(listerOf, options.serviceResolver);
  const chainDependencies = {
    metrics,
    emulated: releasedVersions(options),
    reviewImages,
    listPods: podLister(identifiers, () => registries.forResource('', 'pods')),
    identifiers,
    listerOf,
    resolveService,
    log,
    signal: stopped,
    decide,
    findResource,
    createNamespace,
    writeQuotaStatus,
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
  const emulated = releasedVersions(options);
  const hasAddressObjects = ['ipaddresses', 'servicecidrs'].every(
    (resource) => catalogue.current.resource(`networking.${identifiers.apiDomain}`, resource) !== undefined,
  );
  const services = serviceAllocation(options, {
    identifiers,
    store,
    listerOf,
    registries: () => registries,
    usesObjects: hasAddressObjects && emulated.isFeatureEnabled('MultiCIDRServiceAllocator'),
    writesBoth: !emulated.isFeatureEnabled('DisableAllocatorDualWrite'),
    hasStaticPart: {
      addresses: isSince(emulated.release, '1.26') || emulated.isFeatureEnabled('ServiceIPStaticSubrange'),
      ports: isSince(emulated.release, '1.29') || emulated.isFeatureEnabled('ServiceNodePortStaticSubrange'),
    },
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
  const conversionWebhooks: ConversionWebhooks = {
    group: `apiextensions.${identifiers.apiDomain}`,
    clients: webhookClients({
      signal: stopped,
      userAgent: `${identifiers.prefix}apiserver`,
      resolveService,
      credentials: async () => new Map(),
      parse: decodeJsonAnswer,
      tunnels,
      tracing,
    }),
    metrics: conversionMetrics(metrics),
    tracing,
    signal: stopped,
  };
  return { ...cache, registries, admission, services, conversionWebhooks };
}

/**
 * Returns a function that lists Pods without decoding them. It is for rare requests: a lister would
 * decode every Pod of the cluster, and again on each change.
 */
function podLister(identifiers: Identifiers, pods: () => ResourceRegistry | undefined): ListPods {
  return async (namespace, signal) => {
    const registry = pods();
    if (!registry) return [];
    const scope = { ...systemScope(identifiers, registry, signal), namespace };
    const { items } = await registry.list(scope, { at: { kind: 'latest' }, limit: 0 });
    return items.map((item) => () => valueOf(item) as Pod);
  };
}
