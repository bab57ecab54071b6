import type { Auditor } from '../audit/auditor.ts';
import { serviceResolver } from '../outbound/service-resolver.ts';
import { type Access, createAccess } from './access.ts';
import { createAggregation, type ServedAggregation } from './aggregation/aggregation.ts';
import { type ApiCore, createApiCore } from './api-core.ts';
import { createAuditing } from './audit.ts';
import { checkWebhookCredentials } from './check-webhook-credentials.ts';
import { createFlowControl, type ServerFlows } from './flow-control.ts';
import { openImagePolicy } from './open-image-policy.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ServerOptions } from './server-options.ts';

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
  const shared = { metrics, log, signal };
  const access = await createAccess(options, { ...cache, clientCa, frontProxyCa, ...shared });
  const flows = createFlowControl(options, { ...cache, ...shared });
  const reviewImages = await openImagePolicy(options, { log, signal });
  const core = createApiCore(options, { cache, reviewImages, ...access, ...access.serviceAccounts, ...shared });
  await checkWebhookCredentials(options);
  const aggregated = createAggregation({
    ...core,
    certificate: () => proxyClient?.current,
    resolveService: serviceResolver(core.listerOf, options.serviceResolver),
    ...shared,
  });
  const auditing = await createAuditing(options, { ...core, metrics, log });
  if (auditing) foundation.onClose(() => auditing.close());
  return { access, flows, core, aggregated, auditor: auditing?.auditor };
}
