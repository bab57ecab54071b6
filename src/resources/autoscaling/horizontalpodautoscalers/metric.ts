import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt } from '../../../meta/read-field.ts';

/**
 * Converts metrics between the flat form (`targetAverageUtilization: 50`) of v2beta1 and of v1's
 * annotations, and the form of v2, which has an identifier and a target or current value. Each
 * direction is a table by metric type.
 */
type Convert = (source: JsonObject) => JsonObject;

/** The fields of a metric, one of which is set according to the type. */
const parts = ['object', 'pods', 'resource', 'containerResource', 'external'];

function convertMetric(metric: JsonObject, converters: Readonly<Record<string, Convert>>): JsonObject {
  const converted: JsonObject = { ...metric };
  for (const part of parts) {
    const convert = converters[part];
    if (convert && isSet(metric, part)) converted[part] = convert(objectAt(metric, part));
  }
  return converted;
}

/** Converts a metric of a spec from flat to v2. */
export function metricToStorage(metric: JsonObject): JsonObject {
  return convertMetric(metric, specToStorage);
}

/** Converts a metric of a spec from v2 to flat. */
export function metricFromStorage(metric: JsonObject): JsonObject {
  return convertMetric(metric, specFromStorage);
}

/** Converts a metric of a status from flat to v2. */
export function currentToStorage(metric: JsonObject): JsonObject {
  return convertMetric(metric, statusToStorage);
}

/** Converts a metric of a status from v2 to flat. */
export function currentFromStorage(metric: JsonObject): JsonObject {
  return convertMetric(metric, statusFromStorage);
}

/** Copies fields under new names. Missing fields and nulls are left out. */
function pick(source: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const picked: JsonObject = {};
  for (const [target, name] of Object.entries(names)) {
    const value = getOwn(source, name);
    if (value !== undefined && value !== null) picked[target] = value;
  }
  return picked;
}

/** The target of a v2 metric. Its type follows from the values that are set. */
function targetOf(source: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const values = pick(source, names);
  const type = isSet(values, 'averageUtilization')
    ? 'Utilization'
    : isSet(values, 'averageValue')
      ? 'AverageValue'
      : 'Value';
  return { type, ...values };
}

/** Removes the value 0 beside an average: a flat object metric always has a value. */
function withoutNoValue({ value, ...target }: JsonObject): JsonObject {
  const isNone = value === undefined || (value === '0' && isSet(target, 'averageValue'));
  return isNone ? target : { ...target, value };
}

const flatIdentifier = { name: 'metricName', selector: 'selector' };
const flatExternalIdentifier = { name: 'metricName', selector: 'metricSelector' };
const nameFlat = { metricName: 'name' };
const selectorFlat = { selector: 'selector' };
const identifierExternalFlat = { metricName: 'name', metricSelector: 'selector' };

const specToStorage: Readonly<Record<string, Convert>> = {
  object: (metric) => ({
    ...pick(metric, { describedObject: 'target' }),
    target: withoutNoValue(
      targetOf({ targetValue: '0', ...metric }, { value: 'targetValue', averageValue: 'averageValue' }),
    ),
    metric: pick(metric, flatIdentifier),
  }),
  pods: (metric) => ({
    metric: pick(metric, flatIdentifier),
    target: targetOf(metric, { averageValue: 'targetAverageValue' }),
  }),
  resource: (metric) => resourceToStorage(metric),
  containerResource: (metric) => resourceToStorage(metric),
  external: (metric) => ({
    metric: pick(metric, flatExternalIdentifier),
    target: targetOf(metric, { value: 'targetValue', averageValue: 'targetAverageValue' }),
  }),
};

function resourceToStorage(metric: JsonObject): JsonObject {
  return {
    ...pick(metric, { name: 'name' }),
    target: targetOf(metric, { averageUtilization: 'targetAverageUtilization', averageValue: 'targetAverageValue' }),
    ...pick(metric, { container: 'container' }),
  };
}

const specFromStorage: Readonly<Record<string, Convert>> = {
  object: (metric) => ({
    ...pick(metric, { target: 'describedObject' }),
    ...pick(objectAt(metric, 'metric'), nameFlat),
    targetValue: getOwn(objectAt(metric, 'target'), 'value') ?? '0',
    ...pick(objectAt(metric, 'metric'), selectorFlat),
    ...pick(objectAt(metric, 'target'), { averageValue: 'averageValue' }),
  }),
  pods: (metric) => ({
    ...pick(objectAt(metric, 'metric'), nameFlat),
    ...pick(objectAt(metric, 'target'), { targetAverageValue: 'averageValue' }),
    ...pick(objectAt(metric, 'metric'), selectorFlat),
  }),
  resource: (metric) => resourceFromStorage(metric),
  containerResource: (metric) => resourceFromStorage(metric),
  external: (metric) => ({
    ...pick(objectAt(metric, 'metric'), identifierExternalFlat),
    ...pick(objectAt(metric, 'target'), { targetValue: 'value', targetAverageValue: 'averageValue' }),
  }),
};

function resourceFromStorage(metric: JsonObject): JsonObject {
  const target = objectAt(metric, 'target');
  return {
    ...pick(metric, { name: 'name' }),
    ...pick(target, { targetAverageUtilization: 'averageUtilization', targetAverageValue: 'averageValue' }),
    ...pick(metric, { container: 'container' }),
  };
}

const statusToStorage: Readonly<Record<string, Convert>> = {
  object: (metric) => ({
    metric: pick(metric, flatIdentifier),
    current: pick(metric, { value: 'currentValue', averageValue: 'averageValue' }),
    ...pick(metric, { describedObject: 'target' }),
  }),
  pods: (metric) => ({
    metric: pick(metric, flatIdentifier),
    current: pick(metric, { averageValue: 'currentAverageValue' }),
  }),
  resource: (metric) => currentResourceToStorage(metric),
  containerResource: (metric) => currentResourceToStorage(metric),
  external: (metric) => ({
    metric: pick(metric, flatExternalIdentifier),
    current: pick(metric, { value: 'currentValue', averageValue: 'currentAverageValue' }),
  }),
};

function currentResourceToStorage(metric: JsonObject): JsonObject {
  return {
    ...pick(metric, { name: 'name' }),
    current: pick(metric, { averageUtilization: 'currentAverageUtilization', averageValue: 'currentAverageValue' }),
    ...pick(metric, { container: 'container' }),
  };
}

const statusFromStorage: Readonly<Record<string, Convert>> = {
  object: (metric) => ({
    ...pick(metric, { target: 'describedObject' }),
    ...pick(objectAt(metric, 'metric'), nameFlat),
    ...pick(objectAt(metric, 'current'), { currentValue: 'value' }),
    ...pick(objectAt(metric, 'metric'), selectorFlat),
    ...pick(objectAt(metric, 'current'), { averageValue: 'averageValue' }),
  }),
  pods: (metric) => ({
    ...pick(objectAt(metric, 'metric'), nameFlat),
    ...pick(objectAt(metric, 'current'), { currentAverageValue: 'averageValue' }),
    ...pick(objectAt(metric, 'metric'), selectorFlat),
  }),
  resource: (metric) => currentResourceFromStorage(metric),
  containerResource: (metric) => currentResourceFromStorage(metric),
  external: (metric) => ({
    ...pick(objectAt(metric, 'metric'), identifierExternalFlat),
    ...pick(objectAt(metric, 'current'), { currentValue: 'value', currentAverageValue: 'averageValue' }),
  }),
};

function currentResourceFromStorage(metric: JsonObject): JsonObject {
  const current = objectAt(metric, 'current');
  return {
    ...pick(metric, { name: 'name' }),
    ...pick(current, { currentAverageUtilization: 'averageUtilization', currentAverageValue: 'averageValue' }),
    ...pick(metric, { container: 'container' }),
  };
}
