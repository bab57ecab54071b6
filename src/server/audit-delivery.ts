import type { BatchOptions } from '../audit/batch-queue.ts';
import type { TruncateOptions } from '../audit/truncate.ts';

interface BatchValues extends Omit<BatchOptions, 'throttle'> {
  readonly isThrottled: boolean;
  readonly qps: number;
  readonly burst: number;
}

/** The options of batches from the values of flags. */
export function batchOf({ isThrottled, qps, burst, ...sizes }: BatchValues): BatchOptions {
  return { ...sizes, throttle: isThrottled ? { qps, burst } : undefined };
}

/** Validates the batches of a backend; returns the error message, undefined if they are valid. */
export function batchFault(backend: string, { bufferSize, maxSize, throttle }: BatchOptions): string | undefined {
  const wrong = (what: string, value: number) =>
    `invalid audit batch ${backend} ${what} ${value}, must be a positive number`;
  if (bufferSize <= 0) return wrong('buffer size', bufferSize);
  if (maxSize <= 0) return wrong('max batch size', maxSize);
  if (throttle && throttle.qps <= 0) return wrong('throttle QPS', throttle.qps);
  if (throttle && throttle.burst <= 0) return wrong('throttle burst', throttle.burst);
  return undefined;
}

/** Validates a truncation as `batchFault` does. */
export function truncationFault(backend: string, truncate: TruncateOptions | undefined): string | undefined {
  if (!truncate) return undefined;
  const { maxEventBytes, maxBatchBytes } = truncate;
  if (maxEventBytes <= 0) {
    return `invalid audit truncate ${backend} max event size ${maxEventBytes}, must be a positive number`;
  }
  if (maxBatchBytes >= maxEventBytes) return undefined;
  return `invalid audit truncate ${backend} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`;
}
