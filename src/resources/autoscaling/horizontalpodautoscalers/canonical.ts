import type { JsonObject } from '../../../meta/json-value.ts';
import { takeCpu } from './convert.ts';
import { metricFromStorage, metricToStorage } from './metric.ts';
import { checkMetric } from './validate.ts';

/**
 * Metrics in the form in which kube-apiserver, which stores v1, gives them back: the share of CPU last, and in each target the
 * values that its type of metric has. Those that are not valid stay as they are, for validation to report.
 */
export function canonicalMetrics(metrics: readonly JsonObject[]): JsonObject[] {
  const [, others, cpu] = takeCpu(metrics, 'target');
  return [...others, ...(cpu ? [cpu] : [])].map((metric) =>
    checkMetric(metric, '').length === 0 ? metricToStorage(metricFromStorage(metric)) : metric,
  );
}
