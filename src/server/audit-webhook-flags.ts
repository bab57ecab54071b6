import { auditModes } from '../audit/audit-backend.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, choice, duration, integer, number, text } from '../flags/flag-types.ts';
import { auditVersion } from './audit-version.ts';
import { batchFault, batchOf, truncationFault } from './audit-delivery.ts';
import { type AuditOptions, defaultAuditWebhook, defaultTruncation } from './audit-options.ts';

const section = 'Audit';
const onlyBatch = '; for the mode batch';
const { batch: defaultBatch } = defaultAuditWebhook;

/** The flags of the audit webhook. */
export const auditWebhookFlags = {
  'audit-webhook-config-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'client config file of a server that receives audit events',
  },
  'audit-webhook-initial-backoff': {
    type: duration({ positive: true }),
    default: defaultAuditWebhook.initialBackoffMs,
    section,
    help: 'time until a failed call of the audit webhook is repeated; it grows with each try',
  },
  'audit-webhook-version': {
    type: auditVersion,
    default: undefined,
    section,
    help: 'group and version of the events that the webhook gets; only v1 is sent',
  },
  'audit-webhook-mode': {
    type: choice('mode', auditModes),
    default: defaultAuditWebhook.mode,
    section,
    help:
      'when events are written: batch (later, together), blocking (before the response is sent), or blocking-strict ' +
      '(a request whose first event cannot be written is not served)',
  },
  'audit-webhook-batch-buffer-size': {
    type: integer('events'),
    default: defaultBatch.bufferSize,
    section,
    help: `events that may wait for the audit webhook; others are lost${onlyBatch}`,
  },
  'audit-webhook-batch-max-size': {
    type: integer('events'),
    default: defaultBatch.maxSize,
    section,
    help: `events of a batch${onlyBatch}`,
  },
  'audit-webhook-batch-max-wait': {
    type: duration(),
    default: defaultBatch.maxWaitMs,
    section,
    help: `time after which a batch is written before it is full; 0 is never${onlyBatch}`,
  },
  'audit-webhook-batch-throttle-enable': {
    type: boolean,
    default: defaultBatch.throttle !== undefined,
    section,
    help: `limit the batches per second${onlyBatch}`,
  },
  'audit-webhook-batch-throttle-qps': {
    type: number('number'),
    default: defaultBatch.throttle?.qps ?? 0,
    section,
    help: `batches per second${onlyBatch}`,
  },
  'audit-webhook-batch-throttle-burst': {
    type: integer('number'),
    default: defaultBatch.throttle?.burst ?? 0,
    section,
    help: `batches at once after a time without any${onlyBatch}`,
  },
  'audit-webhook-truncate-enabled': {
    type: boolean,
    default: false,
    section,
    help: 'write large events without their objects, and drop larger ones still',
  },
  'audit-webhook-truncate-max-batch-size': {
    type: integer('bytes'),
    default: defaultTruncation.maxBatchBytes,
    section,
    help: 'size of a batch that is truncated',
  },
  'audit-webhook-truncate-max-event-size': {
    type: integer('bytes'),
    default: defaultTruncation.maxEventBytes,
    section,
    help: 'size of an event that is truncated',
  },
} as const satisfies FlagTable;

type AuditWebhookValues = FlagValues<typeof auditWebhookFlags>;

/** Rules about several flags; each returns an error message or undefined. */
export const auditWebhookFlagRules: readonly FlagRule<typeof auditWebhookFlags>[] = [
  ({ values }) => {
    if (values['audit-webhook-config-file'] === undefined) return undefined;
    const { mode, batch, truncate } = deliveryOf(values);
    return (mode === 'batch' ? batchFault('webhook', batch) : undefined) ?? truncationFault('webhook', truncate);
  },
];

/** The options that the flags set. */
export function auditWebhookOptionsOf(values: AuditWebhookValues): Pick<AuditOptions, 'auditWebhook'> {
  const clientConfigFile = values['audit-webhook-config-file'];
  if (clientConfigFile === undefined) return {};
  const initialBackoffMs = values['audit-webhook-initial-backoff'];
  return { auditWebhook: { clientConfigFile, initialBackoffMs, ...deliveryOf(values) } };
}

function deliveryOf(values: AuditWebhookValues) {
  return {
    mode: values['audit-webhook-mode'],
    batch: batchOf({
      bufferSize: values['audit-webhook-batch-buffer-size'],
      maxSize: values['audit-webhook-batch-max-size'],
      maxWaitMs: values['audit-webhook-batch-max-wait'],
      isThrottled: values['audit-webhook-batch-throttle-enable'],
      qps: values['audit-webhook-batch-throttle-qps'],
      burst: values['audit-webhook-batch-throttle-burst'],
    }),
    truncate: values['audit-webhook-truncate-enabled']
      ? {
          maxBatchBytes: values['audit-webhook-truncate-max-batch-size'],
          maxEventBytes: values['audit-webhook-truncate-max-event-size'],
        }
      : undefined,
  };
}
