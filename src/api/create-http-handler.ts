import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import Koa from 'koa';
import { codecsOf } from './request/codecs.ts';
import { memoize } from '../meta/memoize.ts';
import type { Catalogue } from '../registry/definition/catalogue.ts';
import { findRemoteAmong } from './request/find-remote.ts';
import type { Forward } from './request/forward.ts';
import type { RemoteApiService } from './api-services/api-service.ts';
import type { ApiServicesSnapshot } from './api-services/api-services.ts';
import { cataloguedGroups, discoveredGroups } from './discovery/discovered-groups.ts';
import { sendNoSuchPage } from './respond/answer-error.ts';
import { discoveryPaths } from './discovery/discovery-documents.ts';
import { type ConnectSubresource, findConnectAmong } from './connect/connect-subresource.ts';
import { handleConnect } from './connect/handle-connect.ts';
import { dashboardHandlers } from './dashboard/handle-dashboard.ts';
import { componentPages } from './debug/component-pages.ts';
import { flowDumps } from './debug/flow-dumps.ts';
import { debugHandlers } from './debug/handle-debug.ts';
import { handleDiscovery } from './discovery/handle-discovery.ts';
import { handleRequests } from './handle-requests.ts';
import { openAudit, recordArrival } from './filters/audit.ts';
import { authenticate } from './filters/authenticate.ts';
import { authorize } from './filters/authorize.ts';
import { constrainedImpersonation } from './filters/constrained-impersonation.ts';
import { corsOrigins } from './filters/cors-origins.ts';
import { crossOrigin } from './filters/cross-origin.ts';
import { deadline } from './filters/deadline.ts';
import { fairQueuing } from './filters/fair-queuing.ts';
import type { NamedFilter } from './filters/filter.ts';
import { crossSiteRequests } from './filters/cross-site-requests.ts';
import { goaway } from './filters/goaway.ts';
import { impersonate } from './filters/impersonate.ts';
import { limitInFlight } from './filters/limit-in-flight.ts';
import { requestInfo } from './filters/request-info.ts';
import { retryUntilReady, retryWhileStopping } from './filters/retry-after.ts';
import { storageVersions } from './filters/storage-versions.ts';
import { strictTransportSecurity } from './filters/strict-transport-security.ts';
import { RequestStatistics } from './observation/request-statistics.ts';
import { statePages } from './debug/state-pages.ts';
import { requestLines } from './observation/request-lines.ts';
import { slowRequestLog } from './observation/slow-requests.ts';
import { tracedAuthentication } from './filters/trace-spans.ts';
import { allowTrace, openTrace } from './filters/open-trace.ts';
import { type HealthCheck, handleHealth } from './health/handle-health.ts';
import { defaultListFeatures } from './request/list-features.ts';
import { createHealthMetrics } from './metrics/health-metrics.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import {
  type Aggregation,
  defaultBodyLimitBytes,
  type HttpDependencies,
  type PublishedDocument,
} from './http-dependencies.ts';
import { defaultHttpOptions, type HttpOptions } from './http-flags.ts';
import { handleMetrics } from './metrics/handle-metrics.ts';
import { createRequestMetrics, type RequestMetrics, type RequestObserver } from './metrics/request-metrics.ts';
import { lazyOpenApi } from './openapi/lazy-open-api.ts';
import type { DirectRequest } from '../http-protocol/messages/direct-request.ts';
import type { Exchange } from './request/exchange.ts';
import type { DirectResponse } from '../http-protocol/messages/direct-response.ts';
import { Formats } from './request/formats.ts';
import { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import { newestRelease } from '../scheme/api-release.ts';
import { createRoutes, type RouteHandler } from './routes.ts';
import { handleResource } from './verbs/handle-resource.ts';
import { createWatchServer } from './verbs/create-watch-server.ts';

/**
 * A listener for the `request` event of a server of node:http, node:https or node:http2, which also
 * takes the requests of clients in this process.
 * `serveUpgrades` uses it for the `upgrade` event too.
 */
export type HttpHandler = (
  request: IncomingMessage | Http2ServerRequest | DirectRequest,
  response: ServerResponse | Http2ServerResponse | DirectResponse,
) => void;

/**
 * Builds the HTTP API. Filters run in the order of the list; a filter either passes the request on
 * or refuses it by throwing a `StatusError`. The handler never throws.
 */
export function createHttpHandler(dependencies: HttpDependencies): HttpHandler {
  const { log } = dependencies;
  const options = { ...defaultHttpOptions, ...dependencies.options };
  const { requests = new OpenRequests(options) } = dependencies;
  const { connects = noConnects, admission = [], identifiers, auditor } = dependencies;
  const { authorizeWithSelectors: withSelectors = false } = dependencies;
  const statistics = dependencies.state && new RequestStatistics();
  const logSlow = slowRequestLog(log);
  const observer: RequestObserver = statistics
    ? {
        ended(exchange, end) {
          logSlow(exchange, end);
          statistics.ended(exchange, end);
        },
        authenticated: statistics.authenticated,
      }
    : { ended: logSlow, authenticated: () => {} };
  const metrics = createRequestMetrics(dependencies.metrics, identifiers, observer);
  const findConnect = findConnectAmong(connects);
  const { tracing } = dependencies;
  const traced = tracing && { tracing, release: dependencies.fieldsRelease ?? newestRelease };
  const authentication = authenticate({ ...dependencies, metrics });
  const filters: readonly NamedFilter[] = [
    ...connectionFilters(options, dependencies.random),
    ...(options.shutdownSendRetryAfter
      ? [{ name: 'retry-after', run: retryWhileStopping(dependencies.shutdown) }]
      : []),
    { name: 'request-info', run: requestInfo(findConnect, findRemoteAmong(dependencies.aggregation?.services)) },
    ...(dependencies.logsRequests ? [{ name: 'request-lines', run: requestLines(log) }] : []),
    { name: 'open-trace', run: openTrace },
    ...(auditor ? [{ name: 'open-audit', run: openAudit(auditor, identifiers) }] : []),
    { name: 'deadline', run: deadline(options.requestTimeoutMs, log) },
    { name: 'authenticate', run: traced ? tracedAuthentication(authentication, traced) : authentication },
    ...(auditor ? [{ name: 'audit', run: recordArrival }] : []),
    ...(options.refuseUntilReady && dependencies.isReady
      ? [{ name: 'not-ready', run: retryUntilReady(dependencies.isReady, 'system:masters') }]
      : []),
    ...(options.enableDashboard
      ? [{ name: 'cross-site-requests', run: crossSiteRequests(corsOrigins(options.corsAllowedOrigins)) }]
      : []),
    ...inFlightFilters(options, dependencies, metrics),
    { name: 'allow-trace', run: allowTrace(dependencies.authorizers, identifiers) },
    { name: 'authorize', run: authorize(dependencies.authorizers, { identifiers, metrics, withSelectors }) },
    ...(dependencies.storageVersionsPending
      ? [
          {
            name: 'storage-versions',
            run: storageVersions({ ...dependencies, arePending: dependencies.storageVersionsPending }),
          },
        ]
      : []),
  ];
  const { fieldsRelease: release, cbor = false } = dependencies;
  const formats = new Formats(dependencies.codecs ?? codecsOf(identifiers, { cbor, release }));
  const resource = resourcesOf({ ...dependencies, formats, requestMetrics: metrics });
  const koa = new FrontEnd<Exchange>();
  const connect = handleConnect({ ...dependencies, admission, findConnect, metrics });
  const forward = forwardOf(dependencies, metrics);
  const { peers } = dependencies;
  koa.use(handleRequests({ requests, formats, filters, resource, connect, forward, peers, tracing, log }));
  koa.use(
    routesOf(options, {
      ...dependencies,
      requests,
      statistics,
      connects,
      formats,
      resource,
      forward,
      requestMetrics: metrics,
    }),
  );
  // Errors of filters are caught earlier.
  koa.on('error', (error: unknown) => log.error({ err: error }, 'request failed unexpectedly'));
  const handle = koa.callback();
  return (request, response) => {
    // Koa passes them on to the middleware, which knows each kind.
    void handle(request as IncomingMessage, response as ServerResponse);
  };
}

/**
 * Koa, but for its listeners on each response and its connection: `OpenRequests` follows them.
 * Without this override, which replaces a method of Koa 3, requests would only cost more.
 */
class FrontEnd<State> extends Koa<State> {
  protected handleRequest(
    context: Koa.ParameterizedContext<State>,
    run: (context: Koa.ParameterizedContext<State>) => Promise<void>,
  ): Promise<void> {
    return run(context).catch((error: unknown) => void this.emit('error', error));
  }
}

/** Passes requests on; without APIServices of other servers there are none. */
function forwardOf(
  { aggregation, identifiers: { product }, shutdown, tracing }: HttpDependencies,
  metrics: Pick<RequestMetrics, 'notForwarded'>,
): Forward {
  if (!aggregation) return (exchange) => sendNoSuchPage(exchange);
  const refused = (exchange: Exchange, { name }: RemoteApiService, status: number): void =>
    metrics.notForwarded(exchange, status, aggregation.resources.current.get(name)?.resources ?? []);
  return aggregation.createForward({ refused, product, shutdown, tracing });
}

/** The enabled filters that apply to every response, including the response to an invalid path. */
function connectionFilters(options: HttpOptions, random = Math.random): NamedFilter[] {
  const { corsAllowedOrigins, strictTransportSecurityDirectives, goawayChance } = options;
  return [
    ...(strictTransportSecurityDirectives.length > 0
      ? [{ name: 'strict-transport-security', run: strictTransportSecurity(strictTransportSecurityDirectives) }]
      : []),
    ...(goawayChance > 0 ? [{ name: 'goaway', run: goaway(goawayChance, random) }] : []),
    ...(corsAllowedOrigins.length > 0
      ? [{ name: 'cross-origin', run: crossOrigin(corsOrigins(corsAllowedOrigins)) }]
      : []),
  ];
}

/**
 * The filters that limit requests in flight. Without flow control there is one limit for reads and
 * one for writes of all users. Flow control judges the impersonated user, as kube-apiserver does.
 */
function inFlightFilters(options: HttpOptions, dependencies: HttpDependencies, metrics: RequestMetrics): NamedFilter[] {
  const { authorizers, identifiers, catalogue, flows } = dependencies;
  const context = { metrics, catalogue };
  const constrained = dependencies.constrainedImpersonation ? constrainedImpersonation(dependencies) : undefined;
  const acting = { name: 'impersonate', run: impersonate(authorizers, identifiers, constrained) };
  if (!flows) return [{ name: 'limit-in-flight', run: limitInFlight(options, context) }, acting];
  const watches = { ...options, maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 };
  const longestWaitMs = options.requestTimeoutMs / waitShare;
  return [
    { name: 'limit-in-flight', run: limitInFlight(watches, context) },
    acting,
    { name: 'fair-queuing', run: fairQueuing(flows, { ...context, longestWaitMs }) },
  ];
}

/** A request may wait in queues for this part of its time limit. */
const waitShare = 4;

/** One array, because discovery documents are memoized by it. */
const noConnects: readonly ConnectSubresource[] = [];

/** The dependencies with the metrics that all handlers share. */
interface WithMetrics extends HttpDependencies {
  readonly requestMetrics: RequestMetrics;
}

function resourcesOf(dependencies: WithMetrics & { readonly formats: Formats }): RouteHandler {
  const { log, shutdown, requestMetrics: metrics } = dependencies;
  const { random = Math.random } = dependencies;
  const { minRequestTimeoutSeconds, shutdownWatchGraceMs: graceMs } = {
    ...defaultHttpOptions,
    ...dependencies.options,
  };
  const watches = createWatchServer({ log, metrics, random, leastMs: minRequestTimeoutSeconds * 1000, graceMs });
  if (shutdown.aborted) watches.endAll();
  else shutdown.addEventListener('abort', () => watches.endAll(), { once: true });
  return handleResource({
    ...dependencies,
    admission: dependencies.admission ?? [],
    bodyLimitBytes: dependencies.bodyLimitBytes ?? defaultBodyLimitBytes,
    listFeatures: dependencies.listFeatures ?? defaultListFeatures,
    watches,
    metrics,
  });
}

/** The dependencies of the routes, besides the dependencies of their handlers. */
interface RouteDependencies extends WithMetrics {
  readonly requests: OpenRequests;
  readonly statistics: RequestStatistics | undefined;
  readonly formats: Formats;
  readonly connects: readonly ConnectSubresource[];
  readonly resource: RouteHandler;
  readonly forward: Forward;
}

function routesOf(options: HttpOptions, dependencies: RouteDependencies): Koa.Middleware<Exchange> {
  const { log, health, version, catalogue, identifiers, connects, formats, resource } = dependencies;
  const { requestMetrics: metrics } = dependencies;
  const { aggregation, state, statistics } = dependencies;
  const groupsOf = aggregation ? groupsWith(aggregation) : cataloguedGroups;
  const documents = dependencies.documents ?? new Map<string, PublishedDocument>();
  const { slis = new MetricsRegistry() } = dependencies;
  const healthMetrics = createHealthMetrics(slis, identifiers);
  const healthOf = (name: string, checks: readonly HealthCheck[]) => {
    const handler = handleHealth(name, { checks, log, metrics, healthMetrics });
    return [name, { handler, checks: checks.map((check) => check.name) }] as const;
  };
  return createRoutes({
    resource,
    discovery: handleDiscovery(catalogue, identifiers, connects, {
      groupsOf,
      ...(aggregation ? { remotes: aggregation.resources } : {}),
      ...(dependencies.aggregatedVersions ? { versions: dependencies.aggregatedVersions } : {}),
      formats: new Formats(codecsOf(identifiers, { release: dependencies.fieldsRelease })),
      release: dependencies.fieldsRelease ?? newestRelease,
      ...(dependencies.peers ? { peers: dependencies.peers.merge } : {}),
    }),
    discoveryPaths: () => discoveryPaths(catalogue.current, groupsOf(catalogue.current)),
    health: new Map([
      healthOf('healthz', health.livez),
      healthOf('livez', health.livez),
      healthOf('readyz', health.readyz),
    ]),
    version,
    openApi: lazyOpenApi(
      catalogue,
      {
        identifiers,
        connects,
        documents: [...documents].map(([path, document]) => ({ ...document, path })),
        version: version['gitVersion'] ?? '',
        ...(dependencies.fieldsRelease ? { fieldsRelease: dependencies.fieldsRelease } : {}),
        mediaTypes: formats.mediaTypes,
        watchMediaTypes: formats.watchMediaTypes,
      },
      { forward: dependencies.forward, ...(aggregation ? { remotes: aggregation.documents } : {}) },
    ),
    metrics: handleMetrics(dependencies.metrics),
    slis: handleMetrics(slis),
    documents,
    dashboard: options.enableDashboard ? dashboardHandlers() : new Map(),
    debug: ofWorker(dependencies.worker, [
      ...(options.profiling ? debugHandlers() : []),
      ...(dependencies.flows ? flowDumps(dependencies.flows) : []),
      ...(state && statistics ? statePages({ state, statistics, requests: dependencies.requests }) : []),
      ...(dependencies.componentFacts ? componentPages(dependencies.componentFacts) : []),
    ]),
  });
}

/** Handlers whose responses are about one of several processes, which they name. */
function ofWorker(
  worker: string | undefined,
  handlers: readonly (readonly [string, RouteHandler])[],
): ReadonlyMap<string, RouteHandler> {
  if (worker === undefined) return new Map(handlers);
  return new Map(
    handlers.map(([path, handle]) => [
      path,
      (exchange) => {
        exchange.response.setHeader('X-Worker', worker);
        return handle(exchange);
      },
    ]),
  );
}

/** The groups of a catalogue and of other servers. */
function groupsWith({ services, prioritiesOf }: Aggregation) {
  const groupsBy = memoize((catalogue: Catalogue) =>
    memoize((snapshot: ApiServicesSnapshot) => discoveredGroups(catalogue, snapshot, prioritiesOf)),
  );
  return (catalogue: Catalogue) => groupsBy(catalogue)(services.current);
}
