import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** A review that was answered, or that failed. */
interface ConversionCall {
  /** The name of the definition. */
  readonly definition: string;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly seconds: number;
  /** '' for a success. */
  readonly failure: string;
}

/** The families of conversion webhooks. */
export interface ConversionMetrics {
  called(call: ConversionCall): void;
}

/** Bounds from a millisecond to 16 seconds. */
const definitionBounds = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);
const callBounds = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

/** Creates and registers the families. */
export function conversionMetrics(registry: MetricsRegistry): ConversionMetrics {
  const byDefinition = histogramVector(
    {
      name: 'apiserver_crd_conversion_webhook_duration_seconds',
      help: 'CRD webhook conversion duration in seconds',
    },
    ['crd_name', 'from_version', 'succeeded', 'to_version'],
    definitionBounds,
  );
  const requests = counterVector(
    {
      name: 'apiserver_conversion_webhook_request_total',
      help: 'Counter for conversion webhook requests with success/failure and failure error type',
    },
    ['failure_type', 'result'],
  );
  const durations = histogramVector(
    {
      name: 'apiserver_conversion_webhook_duration_seconds',
      help: 'Conversion webhook request latency',
    },
    ['failure_type', 'result'],
    callBounds,
  );
  registry.register(byDefinition, requests, durations);
  return {
    called({ definition, fromVersion, toVersion, seconds, failure }) {
      const result = failure === '' ? 'success' : 'failure';
      byDefinition.with(definition, fromVersion, String(failure === ''), toVersion).observe(seconds);
      requests.with(failure, result).add();
      durations.with(failure, result).observe(seconds);
    },
  };
}
