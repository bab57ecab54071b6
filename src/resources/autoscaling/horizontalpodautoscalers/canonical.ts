import type { JsonObject } from '../../../meta/json-value.ts';
import { takeCpu } from './convert.ts';
import { metricFromStorage, metricToStorage } from './metric.ts';
import { checkMetric } from './validate.ts';

/**
 * Metrics in the form that kube-apiserver returns after it has stored them as v1: CPU utilization
 * last, and in each target only the values of its metric type. Invalid metrics are not changed;
 * validation reports them.
 */
export function canonicalMetrics(metrics: readonly JsonObject[]): JsonObject[] {
  const [, others, cpu] = takeCpu(metrics, 'target');
  return [...others, ...(cpu ? [cpu] : [])].map((metric) =>
    checkMetric(metric, '').length === 0 ? metricToStorage(metricFromStorage(metric)) : metric,
  );
}
