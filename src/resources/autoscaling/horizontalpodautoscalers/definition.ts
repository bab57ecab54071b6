import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../../gen/stored/autoscaling-v2.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import { columns } from './columns.ts';
import { autoscalerConversions, takeCpu } from './convert.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { checkStatusCounts } from '../../rules/workloads/workload.ts';
import { defaultBehavior } from './behavior.ts';
import { currentFromStorage, currentToStorage, metricFromStorage, metricToStorage } from './metric.ts';
import { checkMetrics, validateAutoscaler } from './validate.ts';

/** The strategy of horizontal pod autoscalers. */
const strategy: Strategy<HorizontalPodAutoscaler> = {
  default: defaultAutoscaler,
  validate: validateAutoscaler,
  generation: false,
  subresources: {
    status: {
      default: defaultCurrentValues,
      validateUpdate: (autoscaler) => checkStatusCounts(autoscaler, ['currentReplicas', 'desiredReplicas']),
    },
  },
};

/** Fills in the value that each current metric has, because v1 cannot omit it. Mutates. */
function defaultCurrentValues({ status }: HorizontalPodAutoscaler): void {
  if (!status.currentMetrics) return;
  status.currentMetrics = status.currentMetrics.map(canonicalCurrent);
  for (const { object, pods, resource, containerResource, external } of status.currentMetrics) {
    for (const source of [object, external]) if (source) source.current.value ??= '0';
    for (const source of [pods, resource, containerResource]) if (source) source.current.averageValue ??= '0';
  }
}

function canonicalCurrent(metric: MetricStatus): MetricStatus {
  return currentToStorage(currentFromStorage(metric));
}

/** The versions with the field `behavior`. */
const hasBehavior: ReadonlySet<string> = new Set(['v2', 'v2beta2']);

/** The default target of CPU utilization, in percent. */
const usualCpuShare = 80;

function defaultAutoscaler({ spec }: HorizontalPodAutoscaler, { version }: StrategyContext): void {
  // Older versions keep it in an annotation, which gets no defaults.
  if (hasBehavior.has(version) && spec.behavior) defaultBehavior(spec.behavior);
  // Container resources are removed: their feature gate (HPAContainerMetrics) is off by default.
  spec.metrics = canonicalMetrics(spec.metrics.map(({ containerResource: _container, ...metric }) => metric));
  if (spec.metrics.length > 0) return;
  const target = { type: 'Utilization', averageUtilization: usualCpuShare };
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
}

/**
 * Metrics in the form that kube-apiserver returns after it has stored them as v1: CPU utilization
 * last, and in each target only the values of its metric type. Metrics of which one is invalid are
 * not changed, so that validation reports errors at the positions that the client sent.
 */
function canonicalMetrics(metrics: MetricSpec[]): MetricSpec[] {
  if (checkMetrics(metrics).length > 0) return metrics;
  const [, others, cpu] = takeCpu(metrics, ({ resource }) => resource?.target.averageUtilization);
  return [...others, ...(cpu ? [cpu] : [])].map((metric) => metricToStorage(metricFromStorage(metric)));
}

/** The resource `horizontalpodautoscalers` of the group `autoscaling`. */
export const horizontalPodAutoscalers = builtIn<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  versions: {
    v2: { introduced: '1.23' },
    v1: { introduced: '1.2', conversion: autoscalerConversions.v1 },
    v2beta2: {
      introduced: '1.12',
      deprecated: { since: '1.23', removed: '1.26', replacement: 'v2' },
      conversion: autoscalerConversions.v2beta2,
    },
    v2beta1: {
      introduced: '1.8',
      deprecated: { since: '1.22', removed: '1.25', replacement: 'v2' },
      conversion: autoscalerConversions.v2beta1,
    },
  },
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
