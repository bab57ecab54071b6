import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { keptList, keptValue, withKept, withoutKept } from './annotations.ts';
import { joinTolerances, readBehavior, shownBehavior, splitTolerances } from './behavior.ts';
import { joinObserved, splitObserved } from './conditions.ts';
import { currentFromStorage, currentToStorage, metricFromStorage, metricToStorage } from './metric.ts';

/**
 * The conversions of autoscalers, which are stored as v2. v2beta2 has no tolerances, and its
 * conditions no observed generations. v2beta1 has neither, and has flat metrics and no behavior. v1
 * has only CPU utilization. Annotations keep the rest, so nothing is lost.
 */
export const autoscalerConversions = {
  'autoscaling/v1': { toStorage: fromV1, fromStorage: toV1 },
  'autoscaling/v2beta2': { toStorage: fromV2Beta2, fromStorage: toV2Beta2 },
  'autoscaling/v2beta1': { toStorage: fromV2Beta1, fromStorage: toV2Beta1 },
} satisfies Readonly<Record<string, Conversion>>;

function fromV2Beta2(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const tolerances = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  const observed = keptList(autoscaler, identifiers, 'conditions');
  if (!tolerances && observed.length === 0) return autoscaler;
  const spec = objectAt(autoscaler, 'spec');
  return {
    ...withoutKept(autoscaler, identifiers),
    ...(tolerances ? { spec: { ...spec, behavior: joinTolerances(objectAt(spec, 'behavior'), tolerances) } } : {}),
    ...statusWith(objectAt(autoscaler, 'status'), observed),
  };
}

function toV2Beta2(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const spec = objectAt(autoscaler, 'spec');
  const split = splitTolerances(objectAt(spec, 'behavior'));
  const { observed, rest } = splitObserved(autoscaler);
  return {
    ...withKept(autoscaler, identifiers, {
      ...(split ? { behavior: shownBehavior(split.tolerances) } : {}),
      conditions: observed,
    }),
    ...(split ? { spec: { ...spec, behavior: split.rest } } : {}),
    ...rest,
  };
}

function fromV2Beta1(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const spec = objectAt(autoscaler, 'spec');
  const status = objectAt(autoscaler, 'status');
  const behavior = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  const current: JsonObject = isSet(status, 'currentMetrics')
    ? { currentMetrics: objectsAt(status, 'currentMetrics').map(currentToStorage) }
    : {};
  return {
    ...withoutKept(autoscaler, identifiers),
    spec: {
      ...spec,
      ...(isSet(spec, 'metrics') ? { metrics: objectsAt(spec, 'metrics').map(metricToStorage) } : {}),
      ...(behavior ? { behavior } : {}),
    },
    ...statusWith({ ...status, ...current }, keptList(autoscaler, identifiers, 'conditions')),
  };
}

function statusWith(status: JsonObject, observed: readonly JsonObject[]): { readonly status?: JsonObject } {
  return Object.keys(status).length === 0 ? {} : { status: joinObserved(status, observed) };
}

function toV2Beta1(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const { behavior, ...spec } = objectAt(autoscaler, 'spec');
  const { observed, rest } = splitObserved(autoscaler);
  const { status = objectAt(autoscaler, 'status') } = rest;
  return {
    ...withKept(autoscaler, identifiers, {
      ...(behavior === undefined ? {} : { behavior: shownBehavior(behavior) }),
      conditions: observed,
    }),
    spec: {
      ...spec,
      ...(isSet(spec, 'metrics') ? { metrics: objectsAt(spec, 'metrics').map(metricFromStorage) } : {}),
    },
    ...(isSet(status, 'currentMetrics')
      ? { status: { ...status, currentMetrics: objectsAt(status, 'currentMetrics').map(currentFromStorage) } }
      : rest),
  };
}

function fromV1(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(autoscaler, 'spec');
  const { currentCPUUtilizationPercentage: current, ...status } = objectAt(autoscaler, 'status');
  const behavior = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  const metrics = keptList(autoscaler, identifiers, 'metrics').map(metricToStorage);
  const conditions = [...keptList(autoscaler, identifiers, 'conditions')];
  if (target !== undefined && target !== null) {
    metrics.push({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } },
    });
  }
  const currentMetrics = currentMetricsOf(current, keptValue(autoscaler, identifiers, 'current-metrics'));
  return {
    ...withoutKept(autoscaler, identifiers),
    spec: {
      ...spec,
      ...(metrics.length > 0 ? { metrics } : {}),
      ...(behavior ? { behavior } : {}),
    },
    status: {
      ...status,
      ...(currentMetrics.length > 0 ? { currentMetrics } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
}

/**
 * The current metrics of a v1 object. The annotation, if readable, has all of them; otherwise the
 * field has CPU utilization.
 */
function currentMetricsOf(current: JsonValue | undefined, kept: JsonValue | undefined): JsonObject[] {
  if (kept === null) return [];
  if (Array.isArray(kept)) return kept.filter(isJsonObject).map(currentToStorage);
  if (current === undefined || current === null) return [];
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }];
}

function toV1(autoscaler: JsonObject, identifiers: Identifiers): JsonObject {
  const { metrics: _metrics, behavior, ...spec } = objectAt(autoscaler, 'spec');
  const { currentMetrics: _current, conditions, ...status } = objectAt(autoscaler, 'status');
  const currentMetrics = objectsAt(objectAt(autoscaler, 'status'), 'currentMetrics');
  const [target, metrics] = takeCpu(objectsAt(objectAt(autoscaler, 'spec'), 'metrics'), 'target');
  const [current] = takeCpu(currentMetrics, 'current');
  const served = withKept(autoscaler, identifiers, {
    metrics: metrics.map(metricFromStorage),
    'current-metrics': currentMetrics.map(currentFromStorage),
    ...(conditions === undefined ? {} : { conditions }),
    ...(behavior === undefined ? {} : { behavior: shownBehavior(behavior) }),
  });
  return {
    ...served,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { ...status, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
}

/**
 * Takes the first CPU utilization out of a list of metrics: the only metric for which v1 has a
 * field. Returns its value, the other metrics, and the metric itself.
 */
export function takeCpu(
  metrics: readonly JsonObject[],
  part: 'target' | 'current',
): readonly [share: number | undefined, others: readonly JsonObject[], metric: JsonObject | undefined] {
  const share = (metric: JsonObject) =>
    stringAt(metric, 'type') === 'Resource' && stringAt(objectAt(metric, 'resource'), 'name') === 'cpu'
      ? numberAt(objectAt(metric, 'resource', part), 'averageUtilization')
      : undefined;
  const index = metrics.findIndex((metric) => share(metric) !== undefined);
  const found = metrics[index];
  return found ? [share(found), metrics.filter((_, at) => at !== index), found] : [undefined, metrics, undefined];
}
