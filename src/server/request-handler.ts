import { createHttpHandler, type HttpHandler } from '../api/create-http-handler.ts';
import type { ConnectSubresource } from '../api/connect/connect-subresource.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import { virtualResources } from '../catalogue/virtual-resources.ts';
import { anonymousAuthOf, publicPathsOf } from './access/authorizers.ts';
import { withComponentStatuses } from './post-start/component-statuses.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { healthChecks } from './health-checks.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ServerOptions } from '../config/server-options.ts';
import type { ServerParts } from './server-parts.ts';
import type { Background } from './post-start/start-background.ts';
import { versionInfo } from '../config/version-info.ts';

/** The dependencies of the handler besides the foundation and the parts. */
interface HandlerContext {
  readonly background: Background;
  readonly connects: readonly ConnectSubresource[];
  readonly requests: OpenRequests;
  /** True if the default roles are part of the start. */
  readonly defaultRoles: boolean;
  /** The address of this server for others, with its port. */
  readonly advertised: () => string;
  /** Aborts when the server begins to stop, before it drains. */
  readonly stopping: AbortSignal;
}

/** Creates the handler of all requests. */
export function createRequestHandler(
  options: ServerOptions,
  foundation: ServerFoundation,
  parts: ServerParts,
  context: HandlerContext,
): HttpHandler {
  const { log, logIsWritable, metrics, slis, identityCheck, signal } = foundation;
  const { access, flows, core, aggregated, auditor } = parts;
  const { background, connects, requests, defaultRoles, advertised, stopping } = context;
  const { store } = identityCheck;
  const { identifiers, catalogue, caches, registries, admission } = core;
  const { authenticators, authorizers, serviceAccounts } = access;
  return createHttpHandler({
    identifiers,
    catalogue,
    registries: withComponentStatuses({ identifiers, catalogue, registries, store }),
    admission,
    authenticators,
    authorizers,
    connects,
    aggregation: aggregated?.aggregation,
    virtual: virtualResources({
      identifiers,
      registries,
      authenticators,
      authorizers,
      apiAudiences: serviceAccounts.apiAudiences,
    }),
    anonymousAuth: anonymousAuthOf(options),
    anonymousPaths: options.anonymousPaths,
    auditor,
    documents: serviceAccounts.documents(advertised),
    publicPaths: publicPathsOf(options),
    health: healthChecks({
      store,
      caches,
      logIsWritable,
      startProblem: background.startProblem,
      started: background.started,
      defaultRoles,
      livezGraceMs: options.livezGraceMs,
      flowControl: flows !== undefined,
      aggregation: aggregated !== undefined,
      identifiers,
      shutdown: stopping,
    }),
    metrics,
    slis,
    listChunking: featuresOf(options).isEnabled('APIListChunking'),
    worker: options.siblings?.number,
    version: versionInfo(options.emulatedRelease),
    log,
    shutdown: signal,
    options,
    requests,
    flows,
  });
}
