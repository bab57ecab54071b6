import type { Logger } from 'pino';
import type { AuditBackend } from '../audit/audit-backend.ts';
import { type AuditEvent, microTime } from '../audit/audit-event.ts';
import { AuditFile } from '../audit/audit-file.ts';
import type { AuditMetrics, AuditPlugin } from '../audit/audit-metrics.ts';
import { BlockingLog } from '../audit/blocking-log.ts';
import { encodeEvent } from '../audit/encode-event.ts';
import { LostEvents } from '../audit/lost-events.ts';
import { type TruncateOptions, truncating } from '../audit/truncate.ts';
import { WebhookBackend } from '../audit/webhook-backend.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { AuditLogOptions, AuditWebhookOptions } from '../config/flags/audit-options.ts';
import { openWebhook } from './access/open-webhook.ts';
import { type BatchOptions, BatchQueue } from '../audit/batch-queue.ts';
import type { OpenTunnel } from '../outbound/proxy/send-connect.ts';
import type { UserInfo } from '../meta/user-info.ts';

interface BackendDependencies {
  readonly identifiers: Identifiers;
  readonly log: Logger;
  readonly metrics: AuditMetrics;
  /** Aborts when the backends are closed. */
  readonly signal: AbortSignal;
  /** Time between two reads of files with credentials. */
  readonly reloadMs: number;
  /** The tunnel to the webhook; undefined: a direct connection. */
  readonly tunnel: OpenTunnel | undefined;
}

/** Opens the log of audit events. Throws if its file cannot be opened. */
export function openAuditLog(options: AuditLogOptions, context: BackendDependencies): AuditBackend {
  const { identifiers, log } = context;
  const lost = (plugin: AuditPlugin) => new LostEvents(plugin, context.metrics, log);
  const file = openAuditFile(options, log);
  const lineOf = options.format === 'legacy' ? legacyLineOf : jsonLineOf(identifiers);
  const { mode, batch, truncate } = options;
  const writer = { file, lineOf, lostEvents: lost('log') };
  const backend =
    mode === 'batch'
      ? batchingLog({ ...writer, batch, overflow: lost('buffered') })
      : new BlockingLog({ ...writer, isStrict: mode === 'blocking-strict' });
  return truncate ? truncated(backend, truncate, context) : backend;
}

function openAuditFile(options: AuditLogOptions, log: Logger): AuditFile {
  try {
    return new AuditFile(options.path, options, (err) => log.warn({ err }, 'the audit log cannot be rotated'));
  } catch (cause) {
    throw new Error(`--audit-log-path: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Opens the server that receives audit events. Rejects if its config file is unusable. */
export async function openAuditWebhook(
  options: AuditWebhookOptions,
  context: BackendDependencies,
): Promise<AuditBackend> {
  const { identifiers, metrics, log, reloadMs, tunnel } = context;
  const { clientConfigFile, initialBackoffMs: retryMs, mode, batch, truncate } = options;
  const what = 'the audit webhook';
  const webhook = await openWebhook({ what, clientConfigFile, retryMs, reloadMs, tunnel }, context);
  const head = `{"kind":"EventList","apiVersion":"audit.${identifiers.apiDomain}/v1","metadata":{},"items":[`;
  const backend = new WebhookBackend({
    post: (json, signal) => webhook.send(json, signal),
    encode: (events) => `${head}${events.map((event) => `{${encodeEvent(event)}}`).join(',')}]}`,
    mode,
    batch,
    maxBatchBytes: truncate?.maxBatchBytes ?? Number.POSITIVE_INFINITY,
    lostEvents: new LostEvents('webhook', metrics, log),
    overflow: new LostEvents('buffered', metrics, log),
  });
  return truncate ? truncated(backend, truncate, context) : backend;
}

function truncated(
  backend: AuditBackend,
  { maxEventBytes }: TruncateOptions,
  { identifiers, metrics, log }: BackendDependencies,
): AuditBackend {
  const annotation = `audit.${identifiers.apiDomain}/truncated`;
  return truncating(backend, { maxEventBytes, lostEvents: new LostEvents('truncate', metrics, log), annotation });
}

function jsonLineOf({ apiDomain }: Identifiers): (event: AuditEvent) => string {
  const head = `{"kind":"Event","apiVersion":"audit.${apiDomain}/v1",`;
  return (event) => `${head}${encodeEvent(event)}}\n`;
}

function legacyLineOf(event: AuditEvent): string {
  return `${legacyLine(event)}\n`;
}

interface BatchingLogOptions {
  readonly file: AuditFile;
  /** Encodes an event as a line with its line feed. */
  readonly lineOf: (event: AuditEvent) => string;
  readonly batch: BatchOptions;
  readonly lostEvents: LostEvents;
  /** Counts events that do not fit into the buffer. */
  readonly overflow: LostEvents;
}

/** The concurrent deliveries: batches that wait for the file are written together. */
const deliveries = 400;

/** How long a stopping server may take to write the remaining events. */
const closeLimitMs = 5_000;

/** Writes events to a file in batches, by another thread. */
function batchingLog({ file, lineOf, batch, lostEvents, overflow }: BatchingLogOptions): AuditBackend {
  const deliver = async (events: readonly AuditEvent[]): Promise<void> => {
    const error = await file.write(events.map(lineOf).join(''));
    if (error) lostEvents.lost(events.length, error);
    else lostEvents.written();
  };
  const queue = new BatchQueue({ ...batch, deliver, deliveries });
  return {
    isStrict: false,
    send(event) {
      if (queue.add(event)) overflow.written();
      else overflow.lost(1, new Error('the buffer of audit events is full'));
      return true;
    },
    flush: () => {},
    async close() {
      await queue.close(closeLimitMs);
      await file.close();
    },
  };
}

/** Encodes an event as a line of text in kube-apiserver's format `legacy`. */
function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['id', JSON.stringify(event.auditId)],
    ['stage', JSON.stringify(event.stage)],
    ['ip', JSON.stringify(event.sourceIps[0] ?? '<unknown>')],
    ['method', JSON.stringify(event.verb)],
    ['user', JSON.stringify(user?.username ?? '<none>')],
    ['groups', JSON.stringify(groupsText(user) || '<none>')],
    ['as', JSON.stringify(impersonatedUser?.username ?? '<self>')],
    ['asgroups', JSON.stringify(groupsText(impersonatedUser) || '<lookup>')],
    ['namespace', JSON.stringify(objectRef?.namespace || '<none>')],
    ['uri', JSON.stringify(event.requestUri)],
    ['response', JSON.stringify(responseStatus ? String(responseStatus.code) : '<deferred>')],
  ];
  const text = fields.map(([name, value]) => `${name}=${value}`).join(' ');
  return `${microTime(event.receivedMicros)} AUDIT: ${text}`;
}

function groupsText(user: UserInfo | undefined): string {
  return user ? user.groups.map((text) => JSON.stringify(text)).join(',') : '';
}
