import type { JsonObject } from '../../../meta/json-value.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString } from '../../rules/fields/check.ts';
import { isMoreThan } from '../../rules/fields/quantity.ts';
import { checkBehavior } from './behavior.ts';

/** All errors of an autoscaler. */
export function validateAutoscaler(autoscaler: JsonObject): readonly FieldError[] {
  const spec = objectAt(autoscaler, 'spec');
  return [
    ...boundErrors(numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0),
    ...referenceErrors(objectAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...checkEach('spec.metrics', objectsAt(spec, 'metrics'), checkMetric),
    ...wakeErrors(spec),
    ...checkBehavior('spec.behavior', objectAt(spec, 'behavior')),
  ];
}

function boundErrors(least: number | undefined, most: number): readonly FieldError[] {
  return [
    ...(least !== undefined && least < 1
      ? [invalid('spec.minReplicas', least, 'must be greater than or equal to 1')]
      : []),
    ...(most < 1 ? [invalid('spec.maxReplicas', most, 'must be greater than 0')] : []),
    ...(least !== undefined && most < least
      ? [invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')]
      : []),
  ];
}

function referenceErrors(reference: JsonObject, path: string): readonly FieldError[] {
  return ['kind', 'name'].flatMap((name) =>
    checkRequiredString(`${path}.${name}`, stringAt(reference, name), validatePathSegment),
  );
}

/**
 * Checks that an autoscaler which may scale to zero has a metric that does not come from its own
 * pods.
 */
function wakeErrors(spec: JsonObject): readonly FieldError[] {
  const wakes = objectsAt(spec, 'metrics').some((metric) => ['External', 'Object'].includes(stringAt(metric, 'type')));
  return numberAt(spec, 'minReplicas') === 0 && !wakes
    ? [
        forbidden(
          'spec.metrics',
          'must specify at least one Object or External metric to support scaling to zero replicas',
        ),
      ]
    : [];
}

/** The field of each metric type. */
const parts: ReadonlyMap<string, string> = new Map([
  ['ContainerResource', 'containerResource'],
  ['External', 'external'],
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
]);

/**
 * All errors of a metric. Only the first source that is set is checked, even if the type names
 * another one.
 */
export function checkMetric(metric: JsonObject, path: string): FieldError[] {
  const type = stringAt(metric, 'type');
  const part = parts.get(type);
  const given = sourceOrder.filter((name) => isSet(metric, parts.get(name) ?? ''));
  const others = given.filter((name) => name !== type).map((name) => parts.get(name) ?? '');
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...(part === undefined ? [notSupported(`${path}.type`, type, [...parts.keys()])] : []),
    ...given.slice(0, 1).flatMap((name) => sourceErrors(name, metric, path)),
    ...(part !== undefined && !isSet(metric, part)
      ? [required(`${path}.${part}`, `must populate information for the given metric source${missingFeature(type)}`)]
      : []),
    ...(given.length === 1
      ? []
      : others.map((name) => forbidden(`${path}.${name}`, 'must populate the given metric source only'))),
  ];
}

function missingFeature(type: string): string {
  return type === 'ContainerResource' ? ' (only allowed when HPAContainerMetrics feature is enabled)' : '';
}

const sourceOrder = ['Object', 'External', 'Pods', 'Resource'];

function sourceErrors(type: string, metric: JsonObject, path: string): FieldError[] {
  const part = parts.get(type) ?? '';
  return [
    ...(sourceRules[type]?.(objectAt(metric, part), `${path}.${part}`) ?? []),
    ...targetErrors(objectAt(metric, part, 'target'), `${path}.${part}.target`),
    ...(choiceRules[type]?.(objectAt(metric, part, 'target'), `${path}.${part}.target`) ?? []),
  ];
}

type Rule = (object: JsonObject, path: string) => readonly FieldError[];

const namedMetric: Rule = (source, path) => {
  const name = stringAt(objectAt(source, 'metric'), 'name');
  const field = `${path}.metric.name`;
  return checkRequiredString(field, name, validatePathSegment, 'must specify a metric name');
};

const namedResource: Rule = (source, path) =>
  stringAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : [];

/** The rules of a source, by metric type. */
const sourceRules: Readonly<Record<string, Rule>> = {
  Object: (source, path) => [
    ...referenceErrors(objectAt(source, 'describedObject'), `${path}.describedObject`),
    ...namedMetric(source, path),
  ],
  Pods: namedMetric,
  External: namedMetric,
  Resource: namedResource,
};

const valueOrAverage: Rule = (target, path) =>
  isSet(target, 'value') || isSet(target, 'averageValue')
    ? []
    : [required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target value')];

const rawOrUtilization: Rule = (target, path) => {
  const [raw, utilization] = [isSet(target, 'averageValue'), isSet(target, 'averageUtilization')];
  if (raw && utilization) {
    return [forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')];
  }
  return raw || utilization
    ? []
    : [required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization')];
};

/** The values that a target must have, by metric type. */
const choiceRules: Readonly<Record<string, Rule>> = {
  Object: valueOrAverage,
  Pods: (target, path) =>
    isSet(target, 'averageValue')
      ? []
      : [required(`${path}.averageValue`, 'must specify a positive target averageValue')],
  External: (target, path) =>
    isSet(target, 'value') && isSet(target, 'averageValue')
      ? [forbidden(`${path}.value`, 'may not set both a target value for metric and a per-pod target')]
      : isSet(target, 'value') || isSet(target, 'averageValue')
        ? []
        : [required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target')],
  Resource: rawOrUtilization,
};

const targetTypes: ReadonlySet<string> = new Set(['AverageValue', 'Utilization', 'Value']);

function targetErrors(target: JsonObject, path: string): FieldError[] {
  const utilization = numberAt(target, 'averageUtilization');
  const amounts = ['value', 'averageValue'].filter(
    (name) => isSet(target, name) && !isMoreThan(stringAt(target, name), '0'),
  );
  const type = stringAt(target, 'type');
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(targetTypes.has(type)
      ? []
      : [invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...(utilization !== undefined && utilization < 1
      ? [invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
    ...amounts.map((name) => invalid(`${path}.${name}`, stringAt(target, name), 'must be positive')),
  ];
}
