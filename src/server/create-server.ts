import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { MutableCatalogue } from '../registry/live-catalogue.ts';
import { createHttpHandler } from '../http/create-http-handler.ts';
import { OpenRequests } from '../http/request/open-requests.ts';
import { newDeferred } from '../async/deferred.ts';
import { virtualResources } from '../resources/virtual-resources.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { createAggregation } from './aggregation/aggregation.ts';
import { createApiCore } from './api-core.ts';
import { withComponentStatuses } from './component-statuses.ts';
import { createAccess } from './access.ts';
import { createAuditing } from './audit.ts';
import { createApiCache } from './api-cache.ts';
import { identifiesClients } from './authenticators.ts';
import { authorizationModesOf } from './authorization-options.ts';
import { anonymousAuthOf } from './authorizers.ts';
import { openCertificates } from './certificates.ts';
import { corsOrigins } from './cors-origins.ts';
import { featuresOf } from './feature-gates.ts';
import { createFlowControl } from './flow-control.ts';
import { forwardingConnects } from './forwarding-connects.ts';
import { healthChecks } from './health-checks.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { openImagePolicy } from './open-image-policy.ts';
import { openStore, storePlace } from './open-store.ts';
import { defaultServerOptions, type ServerOptions } from './server-options.ts';
import { checkSecurity } from './security-checks.ts';
import { cacheMetrics, createMetrics } from './server-metrics.ts';
import { publishTrust } from './publish-trust.ts';
import { resolveAdmission } from './resolve-admission.ts';
import { resolveAuthorization } from './resolve-authorization.ts';
import { serveCustomResources } from './custom-resources.ts';
import { startBackground } from './start-background.ts';
import { startStoreIdentityCheck } from './store-identity-check.ts';
import { advertiseAddressOf } from './system-service.ts';
import { versionInfo } from './version-info.ts';

/** A running API server. */
export interface Server {
  /** `https://<address>:<port>`; the loopback address if the server listens on all interfaces. */
  readonly url: string;
  readonly port: number;
  /** PEM of the CA that clients verify the server with, as of its start. */
  readonly ca: string;
  /** The served resources. They can be added, replaced and removed while the server runs. */
  readonly catalogue: MutableCatalogue;
  /**
   * Stops gracefully: fails readiness, waits for the shutdown delay, ends watches, drains
   * requests, closes the store.
   */
  close(): Promise<void>;
  /**
   * Rejects if the store, reached after the start, was written under other identifiers; the
   * server is closed then.
   */
  readonly refused: Promise<never>;
}

/**
 * Starts an API server in this process and resolves when it serves. Missing options have the
 * defaults of `defaultServerOptions`: a memory store and a free port on the loopback interface.
 * With an unreachable store the server starts, is not ready, and retries. Rejects if a file cannot
 * be read, if the port is in use (`EADDRINUSE`), or if the store was written under other
 * identifiers. Also rejects if `runtimeConfig` or `featureGates` name something unknown, if no
 * client could be authenticated (no `tokens`, `tokenAuthFile` or `clientCaFile`), or if everyone
 * who reaches the port would be an administrator (`checkSecurity`).
 *
 * @example
 * const tokens = [{ token: randomUUID(), username: 'admin', groups: ['system:masters'] }];
 * const store: StoreOptions = { kind: 'etcd', servers: ['http://127.0.0.1:2379'] };
 * const server = await createServer({ tokens, store });
 */
export async function createServer(given: Partial<ServerOptions> = {}): Promise<Server> {
  const options = await resolveAdmission(await resolveAuthorization({ ...defaultServerOptions, ...given }));
  const { log, isWritable } = createLog(options.logLevel);
  const stopping = new AbortController();
  const draining = new AbortController();
  const certificates = await openCertificates(options, log);
  const { serving, sni, clientCa, frontProxyCa, proxyClient, etcd } = certificates;
  for (const warning of featuresOf(options).warnings) log.warn(warning);
  await reviewSecurity(options, log);
  const opened = await openStore(options.store, options.prefix, etcd && (() => etcd.current));
  const { prefix, identifiers } = options;
  const { signal } = draining;
  const identityCheck = startStoreIdentityCheck({
    store: opened,
    place: storePlace(options.store),
    prefix,
    identifiers,
    log,
    signal,
  });
  const { store, checked, recheck: recheckIdentity } = identityCheck;
  const metrics = createMetrics(options, log);
  const cache = createApiCache(options, { store, metrics, log });
  metrics.register(...cacheMetrics(cache.caches, cache.catalogue));
  let auditing: Awaited<ReturnType<typeof createAuditing>>;
  const letGo = async (): Promise<void> => {
    draining.abort();
    certificates.close();
    await auditing?.close();
    await cache.caches.close();
    await store.close();
  };
  try {
    const access = await createAccess(options, { ...cache, clientCa, frontProxyCa, metrics, log, signal });
    const flows = createFlowControl(options, { ...cache, metrics, log, signal });
    const reviewImages = await openImagePolicy(options, { log, signal });
    const core = createApiCore(options, {
      cache,
      reviewImages,
      ...access,
      ...access.serviceAccounts,
      metrics,
      log,
      signal,
    });
    const aggregated = createAggregation({
      ...core,
      certificate: () => proxyClient?.current,
      resolveService: serviceResolver(core.listerOf, options.serviceResolver),
      metrics,
      log,
      signal,
    });
    const answered = await identityCheck.firstTry;
    const { compactionIntervalMs } = options;
    const { promise: listening, resolve: listens } = newDeferred<number>();
    const defaultRoles = authorizationModesOf(options).includes('RBAC');
    const advertised = options.advertiseAddress ?? advertiseAddressOf(options.bindAddress);
    let listeningPort = options.securePort;
    const background = startBackground({
      ...core,
      prepareAggregation: async () => aggregated?.prepare(),
      serveCustomResources: once(() => serveCustomResources({ ...core, log, signal })),
      defaultRoles,
      store,
      prefix,
      compactionIntervalMs,
      flowControl: flows !== undefined,
      log,
      checked,
      recheckIdentity,
      listening,
      signal,
      advertiseAddress: advertised,
    });
    const connects = forwardingConnects(options, {
      ...core,
      nodeAgentTls: () => certificates.nodeAgent.current,
      isOwnPort: (port) => port === listeningPort,
    });
    const logIsWritable = isWritable;
    const requests = new OpenRequests(options);
    auditing = await createAuditing(options, { ...core, metrics, log });
    const handler = createHttpHandler({
      ...core,
      ...access,
      registries: withComponentStatuses({ ...core, store }),
      connects,
      ...(aggregated ? { aggregation: aggregated.aggregation } : {}),
      admission: core.admission,
      virtual: virtualResources({ ...core, ...access, ...access.serviceAccounts }),
      anonymousAuth: anonymousAuthOf(options),
      ...(auditing ? { auditor: auditing.auditor } : {}),
      documents: access.serviceAccounts.documents(() => `${advertised}:${listeningPort}`),
      publicPaths: options.alwaysAllowPaths,
      health: healthChecks({
        store,
        caches: core.caches,
        logIsWritable,
        ...background,
        defaultRoles,
        livezGraceMs: options.livezGraceMs,
        flowControl: flows !== undefined,
        shutdown: stopping.signal,
      }),
      metrics,
      profiling: options.profiling,
      version: versionInfo(options.emulatedRelease),
      log,
      shutdown: signal,
      requestTimeoutMs: options.requestTimeoutMs,
      requests,
      inFlight: options,
      ...(flows ? { flows } : {}),
      corsAllowedOrigins: corsOrigins(options.corsAllowedOrigins),
      strictTransportSecurityDirectives: options.strictTransportSecurityDirectives,
      goawayChance: options.goawayChance,
    });
    const trusted = (client = clientCa?.current, proxy = frontProxyCa?.current) =>
      client === undefined ? proxy : [client, proxy].join('\n');
    const presented = () => ({ ...serving.current, sni: sni.current, clientCa: trusted() });
    const listener = await listen({
      bindAddress: options.bindAddress,
      port: options.securePort,
      certificates: presented(),
      tls: options,
      limits: options,
      requests,
      connects,
      ...(aggregated ? { services: aggregated.aggregation.services } : {}),
      handler,
      siblings: options.siblings,
    });
    serving.onChange((changed) => listener.useCertificates({ ...presented(), ...changed }));
    sni.onChange((changed) => listener.useCertificates({ ...presented(), sni: changed }));
    clientCa?.onChange((changed) => listener.useCertificates({ ...presented(), clientCa: trusted(changed) }));
    frontProxyCa?.onChange((changed) =>
      listener.useCertificates({ ...presented(), clientCa: trusted(clientCa?.current, changed) }),
    );
    certificates.watch();
    publishTrust({ ...core, clientCa, frontProxyCa, frontProxy: options.frontProxy, log, signal }, background.started);
    listeningPort = listener.port;
    listens(listener.port);
    background.started.then(() => flows?.maintain(core.registries)).catch(() => {});
    background.started.then(() => aggregated?.keepCustom()).catch(() => {});
    if (answered) await background.started;
    const close = once(async () => {
      stopping.abort();
      if (!options.siblings?.remain) await background.leave();
      if (options.shutdownDelayMs > 0) await sleep(options.shutdownDelayMs);
      draining.abort();
      await listener.close(options.drainTimeoutMs);
      await letGo();
    });
    const { port } = listener;
    const url = `https://${hostOf(options.bindAddress)}:${port}`;
    const { catalogue } = core;
    return {
      url,
      port,
      ca: serving.current.ca,
      catalogue,
      close,
      refused: refusal(identityCheck.refused, signal, close),
    };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** Logs settings that weaken security; rejects if everyone or nobody would have access. */
async function reviewSecurity(options: ServerOptions, log: Logger): Promise<void> {
  for (const warning of await checkSecurity(options, await identifiesClients(options))) log.warn(warning);
}

/**
 * Closes the server and rejects when its store turns out to have other identifiers. Stays pending
 * if the server is closing already.
 */
function refusal(claimRefused: Promise<never>, closing: AbortSignal, close: () => Promise<void>): Promise<never> {
  const refused = new Promise<never>((_, reject) => {
    claimRefused.catch(async (error: unknown) => {
      if (closing.aborted) return;
      await close();
      reject(error);
    });
  });
  refused.catch(() => {});
  return refused;
}

function once<Result>(work: () => Result): () => Result {
  let done: Result | undefined;
  return () => (done ??= work());
}

function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
