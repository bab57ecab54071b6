import { auditModes } from '../../audit/audit-backend.ts';
import type { BatchOptions } from '../../audit/batch-queue.ts';
import type { TruncateOptions } from '../../audit/truncate.ts';
import type { OptionsOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import { boolean, choice, duration, integer, number } from '../../flags/flag-types.ts';
import { type AuditDelivery, defaultTruncation } from './audit-options.ts';

const section = 'Audit';
const onlyBatch = '; for the mode batch';

/** The flag of the mode of a backend. */
export function deliveryModeFlag<const Backend extends string>(backend: Backend, { mode }: AuditDelivery) {
  return {
    flag: `audit-${backend}-mode`,
    type: choice('mode', auditModes),
    default: mode,
    section,
    help:
      'when events are written: batch (later, together), blocking (before the response is sent), or blocking-strict ' +
      '(a request whose first event cannot be written is not served)',
  } as const;
}

/** The flags of the batches and the truncation of a backend. */
export function deliveryFlags<const Backend extends string>(backend: Backend, { batch, truncate }: AuditDelivery) {
  return inSection(section, {
    bufferSize: {
      flag: `audit-${backend}-batch-buffer-size`,
      type: integer('events'),
      default: batch.bufferSize,
      help: `events that may wait for the audit ${backend}; others are lost${onlyBatch}`,
    },
    maxSize: {
      flag: `audit-${backend}-batch-max-size`,
      type: integer('events'),
      default: batch.maxSize,
      help: `events of a batch${onlyBatch}`,
    },
    maxWaitMs: {
      flag: `audit-${backend}-batch-max-wait`,
      type: duration(),
      default: batch.maxWaitMs,
      help: `time after which a batch is written before it is full; 0 is never${onlyBatch}`,
    },
    isThrottled: {
      flag: `audit-${backend}-batch-throttle-enable`,
      type: boolean,
      default: batch.throttle !== undefined,
      help: `limit the batches per second${onlyBatch}`,
    },
    qps: {
      flag: `audit-${backend}-batch-throttle-qps`,
      type: number('number'),
      default: batch.throttle?.qps ?? 0,
      help: `batches per second${onlyBatch}`,
    },
    burst: {
      flag: `audit-${backend}-batch-throttle-burst`,
      type: integer('number'),
      default: batch.throttle?.burst ?? 0,
      help: `batches at once after a time without any${onlyBatch}`,
    },
    isTruncated: {
      flag: `audit-${backend}-truncate-enabled`,
      type: boolean,
      default: truncate !== undefined,
      help: 'write large events without their objects, and drop larger ones still',
    },
    maxBatchBytes: {
      flag: `audit-${backend}-truncate-max-batch-size`,
      type: integer('bytes'),
      default: defaultTruncation.maxBatchBytes,
      help: 'size of a batch that is truncated',
    },
    maxEventBytes: {
      flag: `audit-${backend}-truncate-max-event-size`,
      type: integer('bytes'),
      default: defaultTruncation.maxEventBytes,
      help: 'size of an event that is truncated',
    },
  });
}

/** The batches and the truncation that the flags of a backend set. */
export function deliveryOf(options: OptionsOf<ReturnType<typeof deliveryFlags>>): Omit<AuditDelivery, 'mode'> {
  const { isThrottled, qps, burst, isTruncated, maxBatchBytes, maxEventBytes, ...sizes } = options;
  return {
    batch: { ...sizes, throttle: isThrottled ? { qps, burst } : undefined },
    truncate: isTruncated ? { maxBatchBytes, maxEventBytes } : undefined,
  };
}

/** Validates the delivery to a backend; returns the error message, undefined if it is valid. */
export function deliveryError(backend: string, { mode, batch, truncate }: AuditDelivery): string | undefined {
  return (mode === 'batch' ? batchError(backend, batch) : undefined) ?? truncationError(backend, truncate);
}

function batchError(backend: string, { bufferSize, maxSize, throttle }: BatchOptions): string | undefined {
  const wrong = (what: string, value: number) =>
    `invalid audit batch ${backend} ${what} ${value}, must be a positive number`;
  if (bufferSize <= 0) return wrong('buffer size', bufferSize);
  if (maxSize <= 0) return wrong('max batch size', maxSize);
  if (throttle && throttle.qps <= 0) return wrong('throttle QPS', throttle.qps);
  if (throttle && throttle.burst <= 0) return wrong('throttle burst', throttle.burst);
  return undefined;
}

function truncationError(backend: string, truncate: TruncateOptions | undefined): string | undefined {
  if (!truncate) return undefined;
  const { maxEventBytes, maxBatchBytes } = truncate;
  if (maxEventBytes <= 0) {
    return `invalid audit truncate ${backend} max event size ${maxEventBytes}, must be a positive number`;
  }
  if (maxBatchBytes >= maxEventBytes) return undefined;
  return `invalid audit truncate ${backend} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`;
}
