import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { AuditBackend } from '../audit/audit-backend.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { AuditFile } from '../audit/audit-file.ts';
import { type AuditMetrics, type AuditPlugin, createAuditMetrics } from '../audit/audit-metrics.ts';
import { type Auditor, createAuditor } from '../audit/auditor.ts';
import { batchingLog } from '../audit/batching-log.ts';
import { BlockingLog } from '../audit/blocking-log.ts';
import { encodeEvent } from '../audit/encode-event.ts';
import { legacyLine } from '../audit/legacy-line.ts';
import { LostEvents } from '../audit/lost-events.ts';
import type { AuditPolicy } from '../audit/policy.ts';
import { policyErrors, policyKind, readPolicy, unknownPolicyFields } from '../audit/read-policy.ts';
import { truncating } from '../audit/truncate.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { isSince } from '../scheme/api-release.ts';
import { type AuditLogOptions, defaultAuditLog } from './audit-options.ts';
import { parseConfiguration } from './configuration-file.ts';
import type { ServerOptions } from './server-options.ts';

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
  const { auditPolicyFile, auditLog } = options;
  if (auditPolicyFile === undefined) {
    if (auditLog) dependencies.log.warn('no audit policy file provided, no events will be recorded');
    return undefined;
  }
  const policy = await readPolicyFile(auditPolicyFile, options, dependencies);
  if (!auditLog) return undefined;
  const metrics = createAuditMetrics(dependencies.metrics);
  const backends = [openAuditLog({ ...defaultAuditLog, ...auditLog }, { ...dependencies, metrics })];
  return {
    auditor: createAuditor(policy, backends, metrics),
    async close() {
      for (const backend of backends) await backend.close();
    },
  };
}

/** The release without the versions of policies that are not stable. */
const stableOnly = '1.24';

async function readPolicyFile(
  path: string,
  { emulatedRelease }: ServerOptions,
  { identifiers, log }: AuditingDependencies,
): Promise<AuditPolicy> {
  const group = `audit.${identifiers.apiDomain}`;
  const versions = isSince(emulatedRelease, stableOnly) ? policyKind.versions.slice(0, 1) : policyKind.versions;
  const apiVersions = versions.map((version) => `${group}/${version}`);
  try {
    const document = parseConfiguration(await readFile(path, 'utf8'), { kind: policyKind.kind, apiVersions });
    const errors = policyErrors(document);
    if (errors.length > 0) throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join(', '));
    const policy = readPolicy(document);
    if (policy.length === 0) throw new Error('loaded illegal policy with 0 rules');
    const unknown = unknownPolicyFields(document);
    if (unknown.length > 0) log.warn(`audit policy file ${path}: unknown fields ${unknown.join(', ')} are ignored`);
    return policy;
  } catch (error) {
    throw new Error(`loading audit policy file ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

interface BackendDependencies extends Omit<AuditingDependencies, 'metrics'> {
  readonly metrics: AuditMetrics;
}

function openAuditLog(options: AuditLogOptions, { identifiers, metrics, log }: BackendDependencies): AuditBackend {
  const lost = (plugin: AuditPlugin) => new LostEvents(plugin, metrics, log);
  const file = new AuditFile(options.path, options, (err) => log.warn({ err }, 'the audit log cannot be rotated'));
  const lineOf = options.format === 'legacy' ? legacyLineOf : jsonLineOf(identifiers);
  const { mode, batch, truncate } = options;
  const writer = { file, lineOf, lostEvents: lost('log') };
  const backend =
    mode === 'batch'
      ? batchingLog({ ...writer, batch, overflow: lost('buffered') })
      : new BlockingLog({ ...writer, isStrict: mode === 'blocking-strict' });
  if (!truncate) return backend;
  const annotation = `audit.${identifiers.apiDomain}/truncated`;
  return truncating(backend, { ...truncate, lostEvents: lost('truncate'), annotation });
}

function jsonLineOf({ apiDomain }: Identifiers): (event: AuditEvent) => string {
  const head = `{"kind":"Event","apiVersion":"audit.${apiDomain}/v1",`;
  return (event) => `${head}${encodeEvent(event)}}\n`;
}

function legacyLineOf(event: AuditEvent): string {
  return `${legacyLine(event)}\n`;
}
