import type { Logger } from 'pino';
import { createAuditMetrics } from '../audit/audit-metrics.ts';
import { type Auditor, createAuditor } from '../audit/auditor.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { openAuditLog, openAuditWebhook } from './audit-backends.ts';
import { defaultAuditLog, defaultAuditWebhook } from '../config/flags/audit-options.ts';
import { readPolicyFile } from '../config/audit-policy-file.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** The audit of a server. */
interface Auditing {
  readonly auditor: Auditor;
  /** Writes what is left. */
  close(): Promise<void>;
}

interface AuditingDependencies {
  readonly identifiers: Identifiers;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
}

/**
 * Creates the auditor of a server; undefined if there is no policy, or nothing that takes events.
 * Rejects if the policy is not valid, or if a file cannot be opened.
 */
export async function createAuditing(
  options: ServerOptions,
  dependencies: AuditingDependencies,
): Promise<Auditing | undefined> {
  const { auditPolicyFile, auditLog, auditWebhook } = options;
  if (auditPolicyFile === undefined) {
    if (auditLog ?? auditWebhook) dependencies.log.warn('no audit policy file provided, no events will be recorded');
    return undefined;
  }
  const policy = await readPolicyFile(auditPolicyFile, options, dependencies);
  if (!auditLog && !auditWebhook) return undefined;
  const metrics = createAuditMetrics(dependencies.metrics);
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
