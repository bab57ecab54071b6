import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDeferred } from '../async/deferred.ts';
import { once } from '../meta/memoize.ts';
import { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import type { DirectServer } from '../outbound/direct-server.ts';
import type { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
import { apiReleases } from '../scheme/api-release.ts';
import { authorizationModesOf } from '../config/flags/authorization-options.ts';
import { serveCustomResources } from '../apiextensions/custom-resources.ts';
import { readStandInAgent } from './stand-in-agent.ts';
import { forwardingConnects } from './forwarding-connects.ts';
import { listenWithCertificates } from '../listen/listen.ts';
import { openDebugSocket } from '../listen/debug-socket.ts';
import { publishTrust } from './post-start/publish-trust.ts';
import type { ApiCore } from './api-core.ts';
import { createRequestHandler } from './request-handler.ts';
import { checkServerOptions } from '../config/check-server-options.ts';
import { resolveAdmission } from '../config/resolve-admission.ts';
import { resolveAuthentication } from '../config/authentication-configuration.ts';
import { resolveAuthorization } from '../config/authorization-configuration.ts';
import { openRuntime, type ServerRuntime } from './server-runtime.ts';
import { countHandshakeErrors } from './server-metrics.ts';
import { defined } from '../meta/json-value.ts';
import { defaultServerOptions, type GivenServerOptions, type ServerOptions } from '../config/server-options.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { serverId } from '../config/server-id.ts';
import type { ServerAddress } from '../outbound/json-client.ts';
import { releaseOf } from '../config/flags/release-flags.ts';
import { createServerComponents, type ServerComponents } from './server-components.ts';
import { coordinateLeaders } from './coordination/coordinate-leaders.ts';
import { leadAmongServers } from './coordination/lead-among-servers.ts';
import { type CompactionsByStore, noCompactions } from './post-start/compaction-notes.ts';
import { type Background, startBackground } from './post-start/start-background.ts';
import { advertiseAddressOf } from './post-start/system-service.ts';

/** A running API server. */
export interface Server {
  /** `https://<address>:<port>`; the loopback address if the server listens on all interfaces. */
  readonly url: string;
  readonly port: number;
  /** PEM of the CA that clients verify the server with, as of its start. */
  readonly ca: string;
  /**
   * Takes the requests of clients in this process, without connections: for `direct` in the
   * settings of a client. Throws if the server is closing.
   */
  readonly direct: DirectServer;
  /** The served resources. They can be added, replaced and removed while the server runs. */
  readonly catalogue: MutableCatalogue;
  /**
   * Resolves when the work after the start of the listener is complete: the objects of the system
   * exist and the caches are filled. Rejects if the store was written under other identifiers.
   */
  readonly started: Promise<void>;
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
 * Starts an API server in this process and resolves when it serves. Options that are missing or
 * undefined have the defaults of `defaultServerOptions`: a memory store and a free port on the
 * loopback interface. With an unreachable store the server starts, is not ready, and retries.
 * Rejects if a file cannot be read, if the port is in use (`EADDRINUSE`), or if the store was
 * written under other identifiers. Also rejects with TypeError if an option is unknown or has a
 * value of another type or range, and rejects if `runtimeConfig` or `featureGates` name something
 * unknown, if no client could be authenticated (no `tokens`, `tokenAuthFile` or `clientCaFile`), or
 * if everyone who reaches the port would be an administrator (`checkSecurity`).
 *
 * @example
 * const tokens = [{ token: randomUUID(), username: 'admin', groups: ['system:masters'] }];
 * const store: StoreOptions = { kind: 'etcd', servers: ['http://127.0.0.1:2379'] };
 * const server = await createServer({ tokens, store });
 */
export async function createServer(given: GivenServerOptions = {}): Promise<Server> {
  checkServerOptions(given);
  const options = { ...defaultServerOptions, ...defined(given), emulatedRelease: releaseOf(given.emulatedRelease) };
  const authorized = await resolveAuthorization(options);
  const { options: complete, warnings } = await resolveAdmission(await resolveAuthentication(authorized));
  const runtime = await openRuntime(complete, warnings);
  try {
    return await serve(complete, runtime);
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

async function serve(options: ServerOptions, runtime: ServerRuntime): Promise<Server> {
  const { certificates, identityCheck, signal } = runtime;
  const { siblings } = options;
  const components = await createServerComponents(options, runtime);
  const { core, aggregated, flows } = components;
  const { identifiers, registries } = core;
  const answered = await identityCheck.firstTry;
  const { promise: listening, resolve: listens } = newDeferred<number>();
  const stopping = new AbortController();
  const advertiseAddress = options.advertiseAddress ?? advertiseAddressOf(options.bindAddress);
  let { securePort: port } = options;
  const compactions = noCompactions([identityCheck.store, ...runtime.otherStores]);
  const background = startWork(options, runtime, components, { compactions, advertiseAddress, listening });
  const connects = forwardingConnects(options, {
    standInAgent: await readStandInAgent(options.standInAgentFile),
    tunnel: runtime.egress.tunnels.cluster,
    registries,
    nodeAgentTls: () => certificates.nodeAgent.current,
    isOwnPort: (other) => other === port,
  });
  const requests = new OpenRequests(options);
  const { handler, serveProfiles } = createRequestHandler(options, runtime, components, {
    background,
    connects,
    requests,
    defaultRoles: hasDefaultRoles(options),
    advertised: () => `${hostOf(advertiseAddress ?? options.bindAddress)}:${port}`,
    stopping: stopping.signal,
    compactions,
  });
  const listener = await listenWithCertificates(certificates, {
    bindAddress: options.bindAddress,
    port,
    tls: options,
    limits: options,
    requests,
    connects,
    services: aggregated?.aggregation.services,
    handler,
    siblings,
    onHandshakeError: countHandshakeErrors(runtime.metrics),
  });
  port = listener.port;
  const debugSocket = options.debugSocketPath
    ? await openDebugSocket(options.debugSocketPath, serveProfiles, siblings?.number)
    : undefined;
  listens(port);
  const { clientCa, frontProxyCa } = certificates;
  const { frontProxy } = options;
  const log = runtime.logOf('background');
  publishTrust({ registries, identifiers, clientCa, frontProxyCa, frontProxy, log, signal }, background.started);
  background.started.then(() => flows?.maintain(registries)).catch(() => {});
  background.started.then(() => aggregated?.keepCustom()).catch(() => {});
  if (answered) await background.started;
  const close = once(() => stop(options, runtime, { listener, background, debugSocket, stopping }));
  return {
    url: `https://${hostOf(options.bindAddress)}:${port}`,
    port,
    ca: certificates.serving.current.ca,
    direct: listener.direct,
    catalogue: core.catalogue,
    started: background.started,
    close,
    refused: refusal(identityCheck.refused, signal, close),
  };
}

/** True if the default roles are part of the start. */
function hasDefaultRoles(options: ServerOptions): boolean {
  return authorizationModesOf(options).includes('RBAC');
}

/** The addresses of a server, and the notes about compactions. */
interface WorkContext {
  readonly compactions: CompactionsByStore;
  readonly advertiseAddress: string | undefined;
  readonly listening: Promise<number>;
}

/** Starts the background work of a server; see `startBackground`. */
function startWork(
  options: ServerOptions,
  { logOf, identityCheck, otherStores, signal }: ServerRuntime,
  { core, aggregated, peers, flows }: ServerComponents,
  { compactions, advertiseAddress, listening }: WorkContext,
): Background {
  const log = logOf('background');
  const { identifiers, catalogue, caches, registries, services, warm } = core;
  const { isEnabled } = featuresOf(options);
  return startBackground({
    identifiers,
    catalogue,
    caches,
    registries,
    services,
    warm,
    store: identityCheck.store,
    otherStores,
    prefix: options.prefix,
    compactionIntervalMs: options.compactionIntervalMs,
    compactions,
    checked: identityCheck.checked,
    recheckIdentity: identityCheck.recheck,
    prepareAggregation: async () => aggregated?.prepare(),
    serveCustomResources: once(() => followDefinitions(core, logOf('definitions'), signal)),
    defaultRoles: hasDefaultRoles(options),
    isFeatureEnabled: isEnabled,
    release: (options.emulationForwardCompatible ? apiReleases.at(-1) : undefined) ?? options.emulatedRelease,
    serverId: isEnabled('APIServerIdentity') ? serverId(options.identityName) : undefined,
    serverStart: options.siblings?.start ?? randomUUID(),
    leaseTimes: { validSeconds: options.identityLeaseSeconds, renewMs: options.identityRenewSeconds * 1000 },
    endpoints: {
      reconciler: options.endpointReconciler,
      servers: options.apiserverCount,
      nodePort: options.apiServiceNodePort,
    },
    peerAddress: isEnabled('UnknownVersionInteroperabilityProxy')
      ? (port) => peerAddressOf(options, advertiseAddress, port)
      : undefined,
    followPeers: () => peers?.start(),
    storageVersions: isEnabled('StorageVersionAPI'),
    coordinate: isEnabled('CoordinatedLeaderElection')
      ? (ended) => electLeaders(options, { ...core, log }, ended)
      : undefined,
    flowControl: flows !== undefined,
    advertiseAddress,
    listening,
    log,
    signal,
  });
}

function followDefinitions(
  { identifiers, catalogue, caches, registries, conversionWebhooks, customKinds }: ApiCore,
  log: Logger,
  signal: AbortSignal,
): ReturnType<typeof serveCustomResources> {
  return serveCustomResources({
    identifiers,
    catalogue,
    caches,
    registries,
    conversionWebhooks,
    customKinds,
    log,
    signal,
  });
}

/** The parts of a server that listen and work. */
interface RunningParts {
  readonly listener: Awaited<ReturnType<typeof listenWithCertificates>>;
  readonly background: Background;
  readonly debugSocket: Awaited<ReturnType<typeof openDebugSocket>> | undefined;
  /** Aborted before the server drains. */
  readonly stopping: AbortController;
}

/** Stops a server gracefully; see `Server.close`. */
async function stop(
  { siblings, shutdownDelayMs, drainTimeoutMs, shutdownWatchGraceMs, shutdownSendRetryAfter }: ServerOptions,
  runtime: ServerRuntime,
  { listener, background, debugSocket, stopping }: RunningParts,
): Promise<void> {
  // Others are ready: clients need not look for another server.
  if (siblings?.remain) await listener.handOver(handOverMs);
  stopping.abort();
  if (!siblings?.remain) {
    await background.leave();
    if (shutdownDelayMs > 0) await sleep(shutdownDelayMs);
  }
  runtime.drain();
  await debugSocket?.close();
  const endMs = performance.now() + Math.max(drainTimeoutMs, shutdownWatchGraceMs);
  // Until requests in flight have ended, new ones are answered with 429.
  if (shutdownSendRetryAfter) await listener.drain(endMs - performance.now());
  await listener.close(endMs - performance.now());
  await runtime.close();
}

/** How long connections that do not end may stay when their clients are left to other processes. */
const handOverMs = 3_000;

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

/** Elects the leaders of components, on one server of the store at a time. */
function electLeaders(
  options: ServerOptions,
  core: Parameters<typeof coordinateLeaders>[0],
  signal: AbortSignal,
): Promise<void> {
  const {
    coordinatedLeaseDurationMs: leaseDurationMs,
    coordinatedRenewDeadlineMs: renewDeadlineMs,
    coordinatedRetryPeriodMs: retryPeriodMs,
  } = options;
  const times = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  return leadAmongServers({ ...core, times, lead: (leading) => coordinateLeaders(core, leading) }, signal);
}

/** The address at which peers reach this server. */
function peerAddressOf(options: ServerOptions, advertised: string | undefined, port: number): ServerAddress {
  const { peerAdvertiseIp: host, peerAdvertisePort, bindAddress } = options;
  if (host !== undefined && peerAdvertisePort !== undefined) return { host, port: peerAdvertisePort };
  return { host: advertised ?? (isEveryAddress(bindAddress) ? '127.0.0.1' : bindAddress), port };
}

function isEveryAddress(bindAddress: string): boolean {
  return bindAddress === '0.0.0.0' || bindAddress === '::';
}

function hostOf(bindAddress: string): string {
  if (isEveryAddress(bindAddress)) return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
