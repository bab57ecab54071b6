import type { JsonObject } from '../../../meta/json-value.ts';
import { takeCpu } from './convert.ts';
import { metricFromStorage, metricToStorage } from './metric.ts';
import { checkMetric } from './validate.ts';

/**
 * Metrics in the form that kube-apiserver returns after it has stored them as v1: CPU utilization
 * last, and in each target only the values of its metric type. Metrics of which one is invalid are
 * not changed, so that validation reports errors at the positions that the client sent.
 */
export function canonicalMetrics(metrics: readonly JsonObject[]): readonly JsonObject[] {
  if (metrics.some((metric) => checkMetric(metric, '').length > 0)) return metrics;
  const [, others, cpu] = takeCpu(metrics, 'target');
  return [...others, ...(cpu ? [cpu] : [])].map((metric) => metricToStorage(metricFromStorage(metric)));
}
