import { auditModes } from '../audit/audit-backend.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, choice, duration, integer, number, text } from '../flags/flag-types.ts';
import { auditVersion } from './audit-version.ts';
import { batchFault, batchOf, truncationFault } from './audit-delivery.ts';
import { auditLogFormats, type AuditOptions, defaultAuditLog, defaultTruncation } from './audit-options.ts';

const section = 'Audit';
const file = text('file');
const onlyBatch = '; for the mode batch';
const { batch: defaultBatch, maxMegabytes: defaultMegabytes } = defaultAuditLog;

/** The flags of the audit log. */
export const auditLogFlags = {
  'audit-policy-file': {
    type: file,
    default: undefined,
    section,
    help: 'Policy with the rules that decide which requests are recorded; read at the start only',
  },
  'audit-log-path': {
    type: file,
    default: undefined,
    section,
    help: 'file to which audit events are appended; - is standard output',
  },
  'audit-log-format': {
    type: choice('format', auditLogFormats),
    default: defaultAuditLog.format,
    section,
    help: 'format of the audit log: json, or legacy with a line of text for each event',
  },
  'audit-log-version': {
    type: auditVersion,
    default: undefined,
    section,
    help: 'group and version of the events of the audit log; only v1 is written',
  },
  'audit-log-mode': {
    type: choice('mode', auditModes),
    default: defaultAuditLog.mode,
    section,
    help:
      'when events are written: batch (later, together), blocking (before the response is sent), or blocking-strict ' +
      '(a request whose first event cannot be written is not served)',
  },
  'audit-log-maxsize': {
    type: integer('megabytes'),
    default: 0,
    section,
    help: `size at which the audit log is replaced; 0 is ${defaultMegabytes}`,
  },
  'audit-log-maxage': {
    type: integer('days'),
    default: 0,
    section,
    help: 'days for which old audit logs are kept; 0 keeps them',
  },
  'audit-log-maxbackup': {
    type: integer('number'),
    default: 0,
    section,
    help: 'number of old audit logs that are kept; 0 keeps them',
  },
  'audit-log-compress': { type: boolean, default: false, section, help: 'compress old audit logs with gzip' },
  'audit-log-batch-buffer-size': {
    type: integer('events'),
    default: defaultBatch.bufferSize,
    section,
    help: `events that may wait for the audit log; others are lost${onlyBatch}`,
  },
  'audit-log-batch-max-size': {
    type: integer('events'),
    default: defaultBatch.maxSize,
    section,
    help: `events of a batch${onlyBatch}`,
  },
  'audit-log-batch-max-wait': {
    type: duration(),
    default: defaultBatch.maxWaitMs,
    section,
    help: `time after which a batch is written before it is full; 0 is never${onlyBatch}`,
  },
  'audit-log-batch-throttle-enable': {
    type: boolean,
    default: false,
    section,
    help: `limit the batches per second${onlyBatch}`,
  },
  'audit-log-batch-throttle-qps': {
    type: number('number'),
    default: 0,
    section,
    help: `batches per second${onlyBatch}`,
  },
  'audit-log-batch-throttle-burst': {
    type: integer('number'),
    default: 0,
    section,
    help: `batches at once after a time without any${onlyBatch}`,
  },
  'audit-log-truncate-enabled': {
    type: boolean,
    default: false,
    section,
    help: 'write large events without their objects, and drop larger ones still',
  },
  'audit-log-truncate-max-batch-size': {
    type: integer('bytes'),
    default: defaultTruncation.maxBatchBytes,
    section,
    help: 'size of a batch that is truncated',
  },
  'audit-log-truncate-max-event-size': {
    type: integer('bytes'),
    default: defaultTruncation.maxEventBytes,
    section,
    help: 'size of an event that is truncated',
  },
} as const satisfies FlagTable;

type AuditLogValues = FlagValues<typeof auditLogFlags>;

/** Rules about several flags; each returns an error message or undefined. */
export const auditLogFlagRules: readonly FlagRule<typeof auditLogFlags>[] = [
  ({ values }) => {
    if (values['audit-log-path'] === undefined) return undefined;
    const { mode, batch, truncate } = deliveryOf(values);
    return (mode === 'batch' ? batchFault('log', batch) : undefined) ?? truncationFault('log', truncate);
  },
];

/** The options that the flags set. */
export function auditLogOptionsOf(values: AuditLogValues): Pick<AuditOptions, 'auditLog'> {
  const path = values['audit-log-path'];
  if (path === undefined) return {};
  return {
    auditLog: {
      path,
      format: values['audit-log-format'],
      maxMegabytes: values['audit-log-maxsize'] || defaultMegabytes,
      maxAgeDays: values['audit-log-maxage'],
      maxBackups: values['audit-log-maxbackup'],
      compress: values['audit-log-compress'],
      ...deliveryOf(values),
    },
  };
}

function deliveryOf(values: AuditLogValues) {
  return {
    mode: values['audit-log-mode'],
    batch: batchOf({
      bufferSize: values['audit-log-batch-buffer-size'],
      maxSize: values['audit-log-batch-max-size'],
      maxWaitMs: values['audit-log-batch-max-wait'],
      isThrottled: values['audit-log-batch-throttle-enable'],
      qps: values['audit-log-batch-throttle-qps'],
      burst: values['audit-log-batch-throttle-burst'],
    }),
    truncate: values['audit-log-truncate-enabled']
      ? {
          maxBatchBytes: values['audit-log-truncate-max-batch-size'],
          maxEventBytes: values['audit-log-truncate-max-event-size'],
        }
      : undefined,
  };
}
