import type { Column } from '../../../codec/table.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../gen/stored/autoscaling-v2.ts';
import { joinFirst, orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of autoscalers. */
export const columns: readonly Column<HorizontalPodAutoscaler>[] = [
  nameColumn,
  textColumn('Reference', 'Kind and name of the scaled object.', ({ spec: { scaleTargetRef } }) => {
    return `${scaleTargetRef.kind}/${scaleTargetRef.name}`;
  }),
  textColumn('Targets', 'Current and desired values of the metrics.', targets),
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

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const texts = spec.metrics.map((metric, index) => {
    return formats[metric.type]?.(metric, status.currentMetrics?.[index]) ?? '<unknown type>';
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
