import type { Auditor } from '../audit/auditor.ts';
import { createTokenCacheMetrics } from '../authn/token-cache-metrics.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { type Access, createAccess } from './access/access.ts';
import { createAggregation, type ServedAggregation } from '../aggregator/services/aggregation.ts';
import { type ApiCore, createApiCore } from './api-core.ts';
import { createAuditing } from './audit.ts';
import { checkWebhookCredentials } from '../config/check-webhook-credentials.ts';
import { createFlowControl, type ServerFlows } from './flow-control.ts';
import { openImagePolicy } from './access/open-image-policy.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** The parts of a server between its store and HTTP. */
export interface ServerParts {
  readonly access: Access;
  /** Undefined if requests are not queued. */
  readonly flows: ServerFlows | undefined;
  readonly core: ApiCore;
  /** Undefined if APIServices are not served. */
  readonly aggregated: ServedAggregation | undefined;
  /** Undefined if nothing is recorded. */
  readonly auditor: Auditor | undefined;
}

/** Creates the parts. Rejects if a file of theirs cannot be read. */
export async function createServerParts(options: ServerOptions, foundation: ServerFoundation): Promise<ServerParts> {
  const { certificates, cache, metrics, log, signal } = foundation;
  const { clientCa, frontProxyCa, proxyClient } = certificates;
  const { identifiers, catalogue, caches, listerOf } = cache;
  const access = await createAccess(options, {
    identifiers,
    listerOf,
    clientCa,
    frontProxyCa,
    tokenCache: createTokenCacheMetrics(metrics),
    metrics,
    log,
    signal,
  });
  const flows = createFlowControl(options, { identifiers, catalogue, caches, listerOf, metrics, log, signal });
  const reviewImages = await openImagePolicy(options, { log, signal });
  const { authorizers, rbac } = access;
  const { creates } = access.serviceAccounts;
  const core = createApiCore(options, { cache, reviewImages, creates, authorizers, rbac, metrics, log, signal });
  const { registries } = core;
  await checkWebhookCredentials(options);
  const aggregated = createAggregation({
    identifiers,
    catalogue,
    caches,
    listerOf,
    registries,
    certificate: () => proxyClient?.current,
    resolveService: serviceResolver(listerOf, options.serviceResolver),
    metrics,
    log,
    signal,
  });
  const auditing = await createAuditing(options, { identifiers, metrics, log });
  if (auditing) foundation.onClose(() => auditing.close());
  return { access, flows, core, aggregated, auditor: auditing?.auditor };
}
