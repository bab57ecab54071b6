import { isJsonObject, type JsonObject } from '../../../../../meta/json-value.ts';
import type { Description, Section } from '../parts/description.ts';
import { annotations, created, field, ifSet, indented, labels, line, namespacedName, table } from '../parts/fields.ts';
import { itemsAt, or, partAt, quoted, textAt, unset } from '../parts/values.ts';

const unknown = '<unknown>';

/** How a metric of a type is shown: its field, and its name before the amounts. */
interface MetricType {
  readonly path: string;
  readonly label: (metric: JsonObject) => string;
  /** Words for the target, where it may be of several kinds. */
  readonly average: string;
  readonly other: string;
  readonly target: (target: JsonObject) => string;
  readonly current: (current: JsonObject, target: JsonObject) => string;
}

const valueOf = (amounts: JsonObject) => textAt(amounts, 'averageValue') || textAt(amounts, 'value');

const percentage = {
  average: '',
  other: '  (as a percentage of request)',
  target: (target: JsonObject) => textAt(target, 'averageValue') || percent(target) || '<auto>',
  current: (current: JsonObject, target: JsonObject) => {
    const used = textAt(target, 'averageValue') ? '' : percent(current);
    return used ? `${used} (${textAt(current, 'averageValue')})` : textAt(current, 'averageValue');
  },
};

function percent(amounts: JsonObject): string {
  const number = textAt(amounts, 'averageUtilization');
  return number ? `${number}%` : '';
}

const metricTypes: Readonly<Record<string, MetricType>> = {
  External: {
    path: 'external',
    label: (metric) => quoted(textAt(metric, 'metric.name')),
    average: ' (target average value)',
    other: ' (target value)',
    target: valueOf,
    current: valueOf,
  },
  Pods: {
    path: 'pods',
    label: (metric) => `${quoted(textAt(metric, 'metric.name'))} on pods`,
    average: '',
    other: '',
    target: valueOf,
    current: valueOf,
  },
  Object: {
    path: 'object',
    label: (metric) =>
      `"${textAt(metric, 'metric.name')}" on ` +
      `${textAt(metric, 'describedObject.kind')}/${textAt(metric, 'describedObject.name')}`,
    average: ' (target average value)',
    other: ' (target value)',
    target: valueOf,
    current: valueOf,
  },
  Resource: { path: 'resource', label: (metric) => `resource ${textAt(metric, 'name')} on pods`, ...percentage },
  ContainerResource: {
    path: 'containerResource',
    label: (metric) => `resource ${textAt(metric, 'name')} of container "${textAt(metric, 'container')}" on pods`,
    ...percentage,
  },
};

const metrics: Section = (scaler) => {
  const current = itemsAt(scaler, 'status.currentMetrics');
  const lines = itemsAt(scaler, 'spec.metrics').map((metric, index) => metricLine(metric, current[index] ?? {}));
  return ['Metrics:\t( current / target )', ...indented(lines)];
};

function metricLine(metric: JsonObject, status: JsonObject): string {
  const type = metricTypes[textAt(metric, 'type')];
  if (!type) return `<unknown metric type ${quoted(textAt(metric, 'type'))}>`;
  const source = partAt(metric, type.path);
  const target = partAt(source, 'target');
  const reported = partAt(status, type.path).current;
  const current = isJsonObject(reported) ? type.current(reported, target) || unknown : unknown;
  const words = isJsonObject(target) && textAt(target, 'averageValue') ? type.average : type.other;
  return `${type.label(source)}${words}:\t${current} / ${type.target(target)}`;
}

const behavior = ifSet('spec.behavior', (scaler) => [
  'Behavior:',
  ...indented([
    ...ruleLines('Scale Up', partAt(scaler, 'spec.behavior.scaleUp')),
    ...ruleLines('Scale Down', partAt(scaler, 'spec.behavior.scaleDown')),
  ]),
]);

function ruleLines(heading: string, rules: JsonObject): string[] {
  if (Object.keys(rules).length === 0) return [];
  const seconds = textAt(rules, 'stabilizationWindowSeconds');
  const policies = itemsAt(rules, 'policies').map(
    (policy) =>
      `    - Type: ${textAt(policy, 'type')}\tValue: ${textAt(policy, 'value')}\t` +
      `Period: ${textAt(policy, 'periodSeconds')} seconds`,
  );
  return [
    `${heading}:`,
    ...(seconds ? [`  Stabilization Window: ${seconds} seconds`] : []),
    ...(policies.length > 0
      ? [`  Select Policy: ${textAt(rules, 'selectPolicy') || 'Max'}`, '  Policies:', ...policies]
      : []),
  ];
}

const podsLine: Section = (scaler) => {
  const number = (path: string) => textAt(scaler, path) || '0';
  const counts = `${number('status.currentReplicas')} current / ${number('status.desiredReplicas')} desired`;
  return [`${textAt(scaler, 'spec.scaleTargetRef.kind')} pods:\t${counts}`];
};

/** Autoscalers, in version 2. */
export const autoscaler: Description = {
  sections: [
    ...namespacedName,
    labels,
    annotations,
    created,
    line('Reference', (scaler) => {
      const { scaleTargetRef } = partAt(scaler, 'spec');
      return isJsonObject(scaleTargetRef) ? `${textAt(scaleTargetRef, 'kind')}/${textAt(scaleTargetRef, 'name')}` : '';
    }),
    metrics,
    field('Min replicas', 'spec.minReplicas', or(unset)),
    field('Max replicas', 'spec.maxReplicas'),
    behavior,
    podsLine,
    table('Conditions', 'status.conditions', [
      ['Type', 'type'],
      ['Status', 'status'],
      ['Reason', 'reason'],
      ['Message', 'message'],
    ]),
  ],
};
