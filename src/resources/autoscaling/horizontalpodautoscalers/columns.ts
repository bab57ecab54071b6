import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { countAt, joinFirst, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of autoscalers. */
export const columns: readonly Column[] = [
  name,
  text('Reference', 'Kind and name of the scaled object.', (object) => {
    const reference = objectAt(object, 'spec', 'scaleTargetRef');
    return `${stringAt(reference, 'kind')}/${stringAt(reference, 'name')}`;
  }),
  text('Targets', 'Current and desired values of the metrics.', targets),
  text('MinPods', 'Lower limit of the number of pods.', (object) => {
    const spec = objectAt(object, 'spec');
    return isSet(spec, 'minReplicas') ? `${countAt(spec, 'minReplicas')}` : '<unset>';
  }),
  text('MaxPods', 'Upper limit of the number of pods.', (object) => countAt(objectAt(object, 'spec'), 'maxReplicas')),
  text('Replicas', 'Number of pods when the object was last scaled.', (object) =>
    countAt(objectAt(object, 'status'), 'currentReplicas'),
  ),
  age,
];

const shownMetrics = 2;
const unknown = '<unknown>';

function targets(autoscaler: JsonObject): string {
  const metrics = objectsAt(objectAt(autoscaler, 'spec'), 'metrics');
  const current = objectsAt(objectAt(autoscaler, 'status'), 'currentMetrics');
  const texts = metrics.map((metric, index) => formatMetric(metric, current[index] ?? {}));
  return orNone(joinFirst(texts, shownMetrics, ', '));
}

/** The current and the desired value of a metric. */
type FormatMetric = (current: JsonObject, target: JsonObject) => string;

const averageOrUtilization: FormatMetric = (current, target) =>
  isSet(target, 'averageValue')
    ? quantities(current, target, 'averageValue')
    : `${percentage(current, unknown)}/${percentage(target, '<auto>')}`;

const valueOrAverage: FormatMetric = (current, target) =>
  isSet(target, 'averageValue')
    ? `${quantities(current, target, 'averageValue')} (avg)`
    : quantities(current, target, 'value');

/** The field of a metric by its type, and its format. */
const formats: Readonly<Record<string, readonly [field: string, format: FormatMetric]>> = {
  External: ['external', valueOrAverage],
  Object: ['object', valueOrAverage],
  Pods: ['pods', (current, target) => quantities(current, target, 'averageValue')],
  Resource: ['resource', averageOrUtilization],
  ContainerResource: ['containerResource', averageOrUtilization],
};

function formatMetric(metric: JsonObject, status: JsonObject): string {
  const known = formats[stringAt(metric, 'type')];
  if (!known) return '<unknown type>';
  const [field, format] = known;
  return format(objectAt(status, field, 'current'), objectAt(metric, field, 'target'));
}

function quantities(current: JsonObject, target: JsonObject, field: 'value' | 'averageValue'): string {
  return `${stringAt(current, field) || unknown}/${stringAt(target, field) || '0'}`;
}

function percentage(value: JsonObject, missing: string): string {
  return isSet(value, 'averageUtilization') ? `${countAt(value, 'averageUtilization')}%` : missing;
}
