import { createHttpHandler, type HttpHandler } from '../api/create-http-handler.ts';
import type { ConnectSubresource } from '../api/connect/connect-subresource.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import { virtualResources } from '../catalogue/virtual-resources.ts';
import { anonymousAuthOf, publicPathsOf } from './access/authorizers-of.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { aggregatedVersionsOf, componentFactsOf } from './component-facts.ts';
import { protocolFeatures } from './protocol-features.ts';
import { healthChecks } from './health-checks.ts';
import { requestVerbosity, verbosityOf } from '../log/log-levels.ts';
import type { CompactionsByStore } from './post-start/compaction-notes.ts';
import { serverState } from './server-state.ts';
import type { ServerRuntime } from './server-runtime.ts';
import type { ServerOptions } from '../config/server-options.ts';
import type { ServerComponents } from './server-components.ts';
import type { Background } from './post-start/start-background.ts';
import { versionInfo } from '../config/version-info.ts';
import { decodeJson } from '../codec/decode-json.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { HttpDependencies } from '../api/http-dependencies.ts';
import { serverUser } from '../meta/user-info.ts';
import { releasedVersions } from '../config/served-api.ts';
import { fieldsRelease, newestEmulated } from '../scheme/emulated-release.ts';
import type { Registries, RequestScope } from '../registry/definition/registry.ts';
import { leaseProbe, storeProbe } from '../resources/core/componentstatuses/component-probe.ts';
import { componentStatuses } from '../resources/core/componentstatuses/component-statuses.ts';
import type { LiveCatalogue } from '../registry/definition/live-catalogue.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';

/** A component that does not answer within this time is unhealthy. */
const probeDeadlineMs = 2_000;

interface ComponentDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Registries;
  readonly store: ObjectStore;
}

/**
 * Adds the registry of component statuses: the store, and the components with a leader election
 * lease.
 */
function withComponentStatuses({ registries, catalogue, ...dependencies }: ComponentDependencies): Registries {
  const info = catalogue.current.resource('', 'componentstatuses');
  if (!info) return registries;
  const { store, identifiers } = dependencies;
  const statuses = componentStatuses(info, [
    ...['controller-manager', 'scheduler'].map((name) =>
      leaseProbe(name, (signal) => readLease({ identifiers, registries }, name, signal)),
    ),
    storeProbe('etcd-0', (signal) =>
      store.status({ alarms: true, signal: AbortSignal.any([signal, AbortSignal.timeout(probeDeadlineMs)]) }),
    ),
  ]);
  return {
    of: (definition) => (definition === info ? statuses : registries.of(definition)),
    forResource: (group, resource) =>
      group === '' && resource === 'componentstatuses' ? statuses : registries.forResource(group, resource),
  };
}

async function readLease(
  { identifiers, registries }: Pick<ComponentDependencies, 'identifiers' | 'registries'>,
  component: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const leases = registries.forResource(`coordination.${identifiers.apiDomain}`, 'leases');
  const scope: RequestScope = {
    identifiers,
    user: serverUser,
    namespace: `${identifiers.prefix}system`,
    name: `${identifiers.prefix}${component}`,
    subresource: '',
    group: `coordination.${identifiers.apiDomain}`,
    version: 'v1',
    emulated: leases?.info.emulated ?? newestEmulated,
    cancellation: { signal },
    warn: () => {},
    annotate: () => {},
  };
  const lease = await leases?.get(scope, { kind: 'any' });
  const value = lease && decodeJson(lease.json, { duplicates: false }).value;
  return isJsonObject(value) ? value : undefined;
}

/** The dependencies of the handler besides the runtime and the components. */
interface HandlerContext {
  readonly background: Background;
  readonly connects: readonly ConnectSubresource[];
  readonly requests: OpenRequests;
  readonly compactions: CompactionsByStore;
  /** True if the default roles are part of the start. */
  readonly defaultRoles: boolean;
  /** The address of this server for others, with its port. */
  readonly advertised: () => string;
  /** Aborts when the server begins to stop, before it drains. */
  readonly stopping: AbortSignal;
}

/** The request handlers of a server. */
interface RequestHandlers {
  /** Handles all requests. */
  readonly handler: HttpHandler;
  /** Handles requests for profiles, without authentication. */
  readonly serveProfiles: HttpHandler;
}

/** Creates the request handlers. */
export function createRequestHandler(
  options: ServerOptions,
  runtime: ServerRuntime,
  components: ServerComponents,
  context: HandlerContext,
): RequestHandlers {
  const { logOf, metrics, slis, identityCheck, signal } = runtime;
  const { access, flows, core, aggregated, peers, auditor } = components;
  const { background, connects, requests, advertised, compactions } = context;
  const { store } = identityCheck;
  const features = featuresOf(options);
  const authorizeWithSelectors = features.isEnabled('AuthorizeWithSelectors');
  const { identifiers, catalogue, caches, registries, admission } = core;
  const { authenticators, authorizers, serviceAccounts } = access;
  const facts = componentFactsOf(options, identifiers);
  const dependencies: HttpDependencies = {
    identifiers,
    catalogue,
    registries: withComponentStatuses({ identifiers, catalogue, registries, store }),
    admission,
    authenticators,
    authorizers,
    connects,
    aggregation: aggregated?.aggregation,
    isReady: () => background.startProblem() === undefined,
    ...(peers ? { peers: peers.servers } : {}),
    ...(features.isEnabled('StorageVersionAPI') && features.isEnabled('APIServerIdentity')
      ? { storageVersionsPending: () => background.startProblem() !== undefined }
      : {}),
    virtual: virtualResources({
      identifiers,
      registries,
      authenticators,
      authorizers,
      apiAudiences: serviceAccounts.apiAudiences,
      authorizeWithSelectors,
    }),
    anonymousAuth: anonymousAuthOf(options),
    anonymousPaths: options.anonymousPaths,
    auditor,
    documents: serviceAccounts.documents(() => options.externalHostname ?? advertised()),
    publicPaths: publicPathsOf(options),
    health: healthOf(options, runtime, components, context),
    metrics,
    slis,
    tracing: runtime.tracing,
    state: serverState({
      identifiers,
      caches,
      store,
      registries,
      compactions,
      compactionIntervalMs: options.compactionIntervalMs,
    }),
    fieldsRelease: fieldsRelease(releasedVersions(options)),
    authorizeWithSelectors,
    constrainedImpersonation: features.isEnabled('ConstrainedImpersonation'),
    ...protocolFeatures(options),
    worker: options.siblings?.number,
    version: versionInfo(options.emulatedRelease, options.minCompatibilityVersion),
    ...(facts ? { componentFacts: facts } : {}),
    aggregatedVersions: aggregatedVersionsOf(options),
    log: logOf('requests'),
    logsRequests: verbosityOf(options, 'requests') >= requestVerbosity,
    shutdown: signal,
    options,
    requests,
    flows,
  };
  return { handler: createHttpHandler(dependencies), serveProfiles: profileHandler(dependencies) };
}

function healthOf(
  options: ServerOptions,
  { identityCheck, otherStores, logIsWritable, encryptionChecks }: ServerRuntime,
  { core, flows, aggregated, peers }: ServerComponents,
  { background, defaultRoles, stopping }: HandlerContext,
): HttpDependencies['health'] {
  return healthChecks({
    store: identityCheck.store,
    otherStores,
    caches: core.caches,
    logIsWritable,
    startProblem: background.startProblem,
    started: background.started,
    defaultRoles,
    livezGraceMs: options.livezGraceMs,
    storeTimeouts: { livezMs: options.storeHealthTimeoutMs, readyzMs: options.storeReadyTimeoutMs },
    flowControl: flows !== undefined,
    aggregation: aggregated !== undefined,
    isFeatureEnabled: featuresOf(options).isEnabled,
    peers: peers !== undefined,
    release: options.emulatedRelease,
    identifiers: core.identifiers,
    shutdown: stopping,
    encryption: encryptionChecks,
  });
}

/** The handler of profiles without authentication. Its metrics are separate from the server's. */
function profileHandler(dependencies: HttpDependencies): HttpHandler {
  let handler: HttpHandler | undefined;
  const create = (): HttpHandler =>
    createHttpHandler({
      ...dependencies,
      authenticators: [],
      authorizers: [{ name: 'profiles', authorize: () => ({ decision: 'allow', reason: '' }) }],
      anonymousAuth: true,
      // Profiles are needed most when nothing else gets through.
      flows: undefined,
      storageVersionsPending: undefined,
      isReady: () => true,
      metrics: new MetricsRegistry(),
      slis: new MetricsRegistry(),
      options: { ...dependencies.options, profiling: true },
    });
  return (request, response) => (handler ??= create())(request, response);
}
