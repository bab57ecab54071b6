import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../gen/stored/autoscaling-v2.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import { autoscalerConversions, takeCpu } from './convert.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { checkStatusCounts } from '../../rules/workloads/check-selector.ts';
import { defaultBehavior } from './behavior.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { currentFromStorage, currentToStorage, metricFromStorage, metricToStorage } from './metric.ts';
import { checkMetrics, validateAutoscaler } from './validate.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { joinFirst, orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The first release whose Tables name the resource of a metric. */
const namesMetrics = '1.30';
const targetsDescription = 'Current and desired values of the metrics.';

/** The columns of autoscalers. */
const columns: readonly Column<HorizontalPodAutoscaler>[] = [
  nameColumn,
  textColumn('Reference', 'Kind and name of the scaled object.', ({ spec: { scaleTargetRef } }) => {
    return `${scaleTargetRef.kind}/${scaleTargetRef.name}`;
  }),
  { ...textColumn('Targets', targetsDescription, (autoscaler) => targets(autoscaler, false)), until: namesMetrics },
  { ...textColumn('Targets', targetsDescription, (autoscaler) => targets(autoscaler, true)), since: namesMetrics },
  textColumn('MinPods', 'Lower limit of the number of pods.', ({ spec }) => `${spec.minReplicas}`),
  textColumn('MaxPods', 'Upper limit of the number of pods.', ({ spec }) => spec.maxReplicas),
  textColumn(
    'Replicas',
    'Number of pods when the object was last scaled.',
    ({ status: { currentReplicas = 0 } }) => currentReplicas,
  ),
  ageColumn,
];

const shownMetrics = 2;
const unknown = '<unknown>';

function targets({ spec, status }: HorizontalPodAutoscaler, isNamed: boolean): string {
  const texts = spec.metrics.map((metric, index) => {
    const name = isNamed && (metric.resource ?? metric.containerResource)?.name;
    const values = formats[metric.type]?.(metric, status.currentMetrics?.[index]) ?? '<unknown type>';
    return name ? `${name}: ${values}` : values;
  });
  return orNone(joinFirst(texts, shownMetrics, ', '));
}

/** The current and the desired value of a metric, by its type. */
const formats: Readonly<Record<string, (metric: MetricSpec, status: MetricStatus | undefined) => string>> = {
  External: ({ external }, status) => valueOrAverage(status?.external?.current, external?.target),
  Object: ({ object }, status) => valueOrAverage(status?.object?.current, object?.target),
  Pods: ({ pods }, status) => quantities('averageValue', status?.pods?.current, pods?.target),
  Resource: ({ resource }, status) => averageOrUtilization(status?.resource?.current, resource?.target),
  ContainerResource: ({ containerResource }, status) =>
    averageOrUtilization(status?.containerResource?.current, containerResource?.target),
};

type Values = MetricTarget | MetricValueStatus | undefined;

function averageOrUtilization(current: Values, target: Values): string {
  return target?.averageValue === undefined
    ? `${percentage(current, unknown)}/${percentage(target, '<auto>')}`
    : quantities('averageValue', current, target);
}

function valueOrAverage(current: Values, target: Values): string {
  return target?.averageValue === undefined
    ? quantities('value', current, target)
    : `${quantities('averageValue', current, target)} (avg)`;
}

function quantities(field: 'value' | 'averageValue', current: Values, target: Values): string {
  return `${current?.[field] || unknown}/${target?.[field] || '0'}`;
}

function percentage(values: Values, missing: string): string {
  return values?.averageUtilization === undefined ? missing : `${values.averageUtilization}%`;
}

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

/** True if metrics of single containers are supported. */
function hasContainerMetrics({ release, isFeatureEnabled }: EmulatedRelease): boolean {
  return isSince(release, '1.30') || isFeatureEnabled('HPAContainerMetrics');
}

function defaultAutoscaler({ spec }: HorizontalPodAutoscaler, { version, emulated }: StrategyContext): void {
  // Older versions keep it in an annotation, which gets no defaults.
  if (hasBehavior.has(version) && spec.behavior) defaultBehavior(spec.behavior);
  if (!hasContainerMetrics(emulated)) {
    spec.metrics = spec.metrics.map(({ containerResource: _container, ...metric }) => metric);
  }
  // Releases before 1.30 store v1.
  if (!isSince(emulated.release, '1.30')) spec.metrics = canonicalMetrics(spec.metrics, emulated);
  if (spec.metrics.length > 0) return;
  const target = { type: 'Utilization', averageUtilization: usualCpuShare };
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
}

/**
 * Metrics in the form that kube-apiserver returns after it has stored them as v1: CPU utilization
 * last, and in each target only the values of its metric type. Metrics of which one is invalid are
 * not changed, so that validation reports errors at the positions that the client sent.
 */
function canonicalMetrics(metrics: MetricSpec[], emulated: EmulatedRelease): MetricSpec[] {
  if (checkMetrics(metrics, emulated).length > 0) return metrics;
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
