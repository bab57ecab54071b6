import type { AuditMode } from '../../audit/audit-backend.ts';
import type { BatchOptions } from '../../audit/batch-queue.ts';
import type { Rotation } from '../../audit/rotation.ts';
import type { TruncateOptions } from '../../audit/truncate.ts';
import { checked, text } from '../../flags/flag-types.ts';

/** The group version of audit events in a flag. Its group follows from the identifiers. */
export const auditVersion = checked(text('version'), (version) =>
  /^audit\.[a-z0-9.-]+\/v1$/.test(version) ? undefined : 'only version v1 of the group audit is written',
);

/** When a backend of audit events writes them, and how large they may be. */
export interface AuditDelivery {
  readonly mode: AuditMode;
  /** For the mode `batch`. */
  readonly batch: BatchOptions;
  /** The limits of events; undefined: events of any size are written. */
  readonly truncate: TruncateOptions | undefined;
}

/** The formats of the lines of an audit log. */
export const auditLogFormats = ['json', 'legacy'] as const;

/** A log of audit events. */
export interface AuditLogOptions extends AuditDelivery, Rotation {
  /** A file, or `-` for standard output. */
  readonly path: string;
  readonly format: (typeof auditLogFormats)[number];
}

/** A server that receives audit events. */
export interface AuditWebhookOptions extends AuditDelivery {
  /** A client config file with its address, its CA, and the credentials to present. */
  readonly clientConfigFile: string;
  /** The pause before the second try of a failed call. */
  readonly initialBackoffMs: number;
}

/** The options of the backends of auditing. */
export interface AuditOptions {
  /** Missing fields have the values of `defaultAuditLog`. */
  readonly auditLog?: Pick<AuditLogOptions, 'path'> & Partial<AuditLogOptions>;
  /** Missing fields have the values of `defaultAuditWebhook`. */
  readonly auditWebhook?: Pick<AuditWebhookOptions, 'clientConfigFile'> & Partial<AuditWebhookOptions>;
}

/** The defaults of batches of a log: each event is written when the one before it is. */
const defaultLogBatch: BatchOptions = Object.freeze({
  bufferSize: 10_000,
  maxSize: 1,
  maxWaitMs: 0,
  throttle: undefined,
});

/** The defaults of truncation. */
export const defaultTruncation: TruncateOptions = Object.freeze({
  maxEventBytes: 100 * 1024,
  maxBatchBytes: 10 * 1024 * 1024,
});

/** The defaults of an audit log. */
export const defaultAuditLog: Omit<AuditLogOptions, 'path'> = Object.freeze({
  format: 'json',
  mode: 'blocking',
  batch: defaultLogBatch,
  truncate: undefined,
  maxMegabytes: 100,
  maxAgeDays: 0,
  maxBackups: 0,
  compress: false,
});

/** The defaults of an audit webhook. */
export const defaultAuditWebhook: Omit<AuditWebhookOptions, 'clientConfigFile'> = Object.freeze({
  mode: 'batch',
  batch: Object.freeze({
    bufferSize: 10_000,
    maxSize: 400,
    maxWaitMs: 30_000,
    throttle: Object.freeze({ qps: 10, burst: 15 }),
  }),
  truncate: undefined,
  initialBackoffMs: 10_000,
});
