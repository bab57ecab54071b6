import { type Auditor, createAuditor } from '../audit/auditor.ts';
import { createTokenCacheMetrics } from '../authn/token-cache-metrics.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { type Access, createAccess } from './access/access.ts';
import { createAggregation, type ServedAggregation } from '../aggregator/services/aggregation.ts';
import { createPeers } from '../aggregator/peers/create-peers.ts';
import { type ApiCore, createApiCore } from './api-core.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { serverId } from '../config/server-id.ts';
import { checkWebhookCredentials } from '../config/check-webhook-credentials.ts';
import { createFlowControl, type ServerFlows } from './create-flow-control.ts';
import { staticAdmission } from './static-admission/static-admission.ts';
import type { ServerRuntime } from './server-runtime.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { parseImagePolicyConfiguration } from '../admission/plugins/image-policy-webhook/image-policy-configuration.ts';
import type { ReviewImages } from '../admission/plugins/image-policy-webhook/image-policy-webhook.ts';
import type { AccessDependencies } from './access/access-dependencies.ts';
import { openWebhook } from './access/open-webhook.ts';
import type { Logger } from 'pino';
import { createAuditMetrics } from '../audit/audit-metrics.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { OpenTunnel } from '../outbound/proxy/send-connect.ts';
import { openAuditLog, openAuditWebhook } from './audit-backends.ts';
import { defaultAuditLog, defaultAuditWebhook } from '../config/flags/audit-options.ts';
import { readPolicyFile } from '../config/audit-policy-file.ts';

const plugin = 'ImagePolicyWebhook';

/**
 * Opens the backend of the plugin ImagePolicyWebhook until the server stops; undefined if the
 * plugin does not run. Rejects if its configuration or its client config file is unusable.
 */
async function openImagePolicy(
  { admissionPlugins, admissionConfigurations, certificateReloadMs: reloadMs }: ServerOptions,
  dependencies: Pick<AccessDependencies, 'log' | 'signal'>,
): Promise<ReviewImages | undefined> {
  if (!admissionPlugins.enabled.includes(plugin)) return undefined;
  try {
    const { clientConfigFile, retryMs } = parseImagePolicyConfiguration(admissionConfigurations[plugin]);
    const what = `the admission plugin ${plugin}`;
    const webhook = await openWebhook({ what, clientConfigFile, retryMs, reloadMs }, dependencies);
    return (review, signal) => webhook.call(review, signal);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(`the configuration of the admission plugin ${plugin}: ${problem}`, { cause });
  }
}

/** The parts of a server between its store and HTTP. */
export interface ServerComponents {
  readonly access: Access;
  /** The queues of flow control; undefined if requests are not queued. */
  readonly flows: ServerFlows | undefined;
  readonly core: ApiCore;
  /** The aggregated servers; undefined if APIServices are not served. */
  readonly aggregated: ServedAggregation | undefined;
  /** The peers; undefined if requests are not forwarded to other servers of the store. */
  readonly peers: ReturnType<typeof createPeers> | undefined;
  /** The auditor; undefined if nothing is audited. */
  readonly auditor: Auditor | undefined;
}

/** Creates the parts. Rejects if a file of theirs cannot be read. */
export async function createServerComponents(
  options: ServerOptions,
  runtime: ServerRuntime,
): Promise<ServerComponents> {
  const { certificates, cache, metrics, signal, logOf } = runtime;
  const { clientCa, frontProxyCa, proxyClient } = certificates;
  const { tunnels } = runtime.egress;
  const { identifiers, catalogue, caches, listerOf } = cache;
  const access = await createAccess(options, {
    identifiers,
    listerOf,
    clientCa,
    frontProxyCa,
    tokenCache: createTokenCacheMetrics(metrics),
    registries: () => core.registries,
    metrics,
    egress: runtime.egress,
    log: logOf('access'),
    signal,
  });
  const flows = createFlowControl(options, {
    identifiers,
    catalogue,
    caches,
    listerOf,
    metrics,
    log: logOf('requests'),
    signal,
  });
  const reviewImages = await openImagePolicy(options, { log: logOf('admission'), signal });
  const { authorizers, rbac } = access;
  const { creates } = access.serviceAccounts;
  const statics = staticAdmission(options, { identifiers, metrics, log: logOf('admission'), signal });
  const core: ApiCore = createApiCore(options, {
    cache,
    reviewImages,
    staticObjects: statics.of,
    creates,
    authorizers,
    rbac,
    metrics,
    log: logOf('admission'),
    tracing: runtime.tracing,
    tunnels: { ...tunnels, ownService: identifiers.product },
    signal,
  });
  const { registries } = core;
  await statics.load(registries);
  await checkWebhookCredentials(options);
  const aggregated = createAggregation({
    identifiers,
    catalogue,
    caches,
    listerOf,
    registries,
    certificate: () => proxyClient?.current,
    resolveService: serviceResolver(listerOf, options.serviceResolver),
    tunnel: tunnels.cluster,
    metrics,
    log: logOf('aggregation'),
    signal,
  });
  const peers = openPeers(options, runtime, aggregated);
  const auditing = await createAuditing(options, {
    identifiers,
    metrics,
    log: logOf('audit'),
    tunnel: tunnels.controlplane,
  });
  if (auditing) runtime.onClose(() => auditing.close());
  return { access, flows, core, aggregated, peers, auditor: auditing?.auditor };
}

/** Creates the peers; undefined without the certificates for them, or if their gate is off. */
function openPeers(
  options: ServerOptions,
  { cache, certificates, egress, identityCheck, metrics, logOf, signal }: ServerRuntime,
  aggregated: ServedAggregation | undefined,
): ServerComponents['peers'] {
  const { peerCa, proxyClient } = certificates;
  if (!peerCa || !proxyClient || !featuresOf(options).isEnabled('UnknownVersionInteroperabilityProxy')) {
    return undefined;
  }
  const { identifiers, catalogue, caches } = cache;
  return createPeers({
    identifiers,
    catalogue,
    caches,
    store: identityCheck.store,
    prefix: options.prefix,
    services: aggregated?.aggregation.services,
    ownId: serverId(options.identityName),
    ca: () => peerCa.current,
    certificate: () => proxyClient.current,
    tunnel: egress.tunnels.controlplane,
    metrics,
    log: logOf('aggregation'),
    signal,
  });
}

/** The audit of a server. */
interface Auditing {
  readonly auditor: Auditor;
  /** Writes the events that are left. */
  close(): Promise<void>;
}

interface AuditingDependencies {
  readonly identifiers: Identifiers;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** The tunnel to the webhook; undefined: a direct connection. */
  readonly tunnel: OpenTunnel | undefined;
}

/**
 * Creates the auditor of a server; undefined if there is no policy, or nothing that takes events.
 * Rejects if the policy is not valid, or if a file cannot be opened.
 */
async function createAuditing(
  options: ServerOptions,
  dependencies: AuditingDependencies,
): Promise<Auditing | undefined> {
  const { auditPolicyFile, auditLog, auditWebhook } = options;
  // The families exist even if nothing is audited, because monitoring expects them.
  const metrics = createAuditMetrics(dependencies.metrics);
  if (auditPolicyFile === undefined) {
    if (auditLog ?? auditWebhook) dependencies.log.warn('no audit policy file provided, no events will be recorded');
    return undefined;
  }
  const policy = await readPolicyFile(auditPolicyFile, options, dependencies);
  if (!auditLog && !auditWebhook) return undefined;
  const stopping = new AbortController();
  const context = { ...dependencies, metrics, signal: stopping.signal, reloadMs: options.certificateReloadMs };
  const backends = [
    ...(auditLog ? [openAuditLog({ ...defaultAuditLog, ...auditLog }, context)] : []),
    ...(auditWebhook ? [await openAuditWebhook({ ...defaultAuditWebhook, ...auditWebhook }, context)] : []),
  ];
  return {
    auditor: createAuditor(policy, backends, metrics),
    async close() {
      for (const backend of backends) await backend.close();
      stopping.abort();
    },
  };
}
