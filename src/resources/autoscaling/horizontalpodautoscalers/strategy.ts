import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, setDefault } from '../../../meta/read-field.ts';
import { checkCounts } from '../../rules/fields/check.ts';
import { canonicalMetrics } from './canonical.ts';
import { defaultBehavior } from './behavior.ts';
import { currentFromStorage, currentToStorage } from './metric.ts';
import { validateAutoscaler } from './validate.ts';

/** The strategy of horizontal pod autoscalers. */
export const strategy: Strategy = {
  default: defaultAutoscaler,
  validate: validateAutoscaler,
  generation: false,
  subresources: {
    status: {
      default: defaultCurrentValues,
      validateUpdate: (autoscaler) =>
        checkCounts('status', objectAt(autoscaler, 'status'), ['currentReplicas', 'desiredReplicas']),
    },
  },
};

/** The value that every current metric of a type has, because v1 cannot omit it. */
const currentValues = {
  object: 'value',
  pods: 'averageValue',
  resource: 'averageValue',
  containerResource: 'averageValue',
  external: 'value',
} as const;

function defaultCurrentValues(autoscaler: JsonObject): void {
  const status = objectAt(autoscaler, 'status');
  if (!isSet(status, 'currentMetrics')) return;
  const metrics = objectsAt(status, 'currentMetrics').map((metric) => currentToStorage(currentFromStorage(metric)));
  status['currentMetrics'] = metrics;
  for (const metric of metrics) {
    for (const [part, value] of Object.entries(currentValues)) {
      if (isSet(metric, part)) setDefault(makeObjectAt(objectAt(metric, part), 'current'), value, '0');
    }
  }
}

/**
 * Removes container resources: their feature gate (HPAContainerMetrics) is off by default. Mutates
 * nothing.
 */
function withoutContainers({ containerResource: _container, ...metric }: JsonObject): JsonObject {
  return metric;
}

/** The versions with the field `behavior`. */
const hasBehavior: ReadonlySet<string> = new Set(['v2', 'v2beta2']);

/** The default target of CPU utilization, in percent. */
const usualCpuShare = 80;

function defaultAutoscaler(autoscaler: JsonObject, { version }: StrategyContext): void {
  const spec = makeObjectAt(autoscaler, 'spec');
  setDefault(spec, 'minReplicas', 1);
  // Older versions keep it in an annotation, which gets no defaults.
  if (hasBehavior.has(version) && isSet(spec, 'behavior')) defaultBehavior(makeObjectAt(spec, 'behavior'));
  if (objectsAt(spec, 'metrics').length > 0) {
    spec['metrics'] = [...canonicalMetrics(objectsAt(spec, 'metrics').map(withoutContainers))];
    return;
  }
  spec['metrics'] = [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: usualCpuShare } },
    },
  ];
}
