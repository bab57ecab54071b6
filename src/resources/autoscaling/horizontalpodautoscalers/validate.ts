import type { JsonObject } from '../../../meta/json-value.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString } from '../../rules/check.ts';
import { isMoreThan } from '../../rules/quantity.ts';

/** Every error of an autoscaler. */
export function validateAutoscaler(autoscaler: JsonObject): FieldError[] {
  const spec = objectAt(autoscaler, 'spec');
  return [
    ...boundErrors(numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0),
    ...referenceErrors(objectAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...checkEach('spec.metrics', objectsAt(spec, 'metrics'), metricErrors),
  ];
}

function boundErrors(least: number | undefined, most: number): FieldError[] {
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

function referenceErrors(reference: JsonObject, path: string): FieldError[] {
  return ['kind', 'name'].flatMap((name) =>
    checkRequiredString(`${path}.${name}`, stringAt(reference, name), validatePathSegment),
  );
}

/** The field that each type of metric fills in. */
const parts: ReadonlyMap<string, string> = new Map([
  ['ContainerResource', 'containerResource'],
  ['External', 'external'],
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
]);

function metricErrors(metric: JsonObject, path: string): FieldError[] {
  const type = stringAt(metric, 'type');
  const part = parts.get(type);
  if (type === '') return [required(`${path}.type`, 'must specify a metric source type')];
  if (part === undefined) return [notSupported(`${path}.type`, type, [...parts.keys()])];
  if (!isSet(metric, part)) {
    return [required(`${path}.${part}`, 'must populate information for the given metric source')];
  }
  return targetErrors(objectAt(metric, part, 'target'), `${path}.${part}.target`);
}

function targetErrors(target: JsonObject, path: string): FieldError[] {
  const utilization = numberAt(target, 'averageUtilization');
  const amounts = ['value', 'averageValue'].filter(
    (name) => isSet(target, name) && !isMoreThan(stringAt(target, name), '0'),
  );
  return [
    ...(stringAt(target, 'type') === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(utilization !== undefined && utilization < 1
      ? [invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
    ...amounts.map((name) => invalid(`${path}.${name}`, stringAt(target, name), 'must be positive')),
  ];
}
