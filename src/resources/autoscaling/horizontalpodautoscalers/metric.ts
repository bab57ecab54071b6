import type * as flat from '../../../gen/stored/autoscaling-v1.ts';
import type { MetricSpec, MetricStatus, MetricTarget } from '../../../gen/stored/autoscaling-v2.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, makeObjectAt, objectAt } from '../../../meta/read-field.ts';

/** A field of an object, or of an object in it: `name`, `metric.name`. */
type FieldPath<T> = {
  [Name in keyof T & string]: NonNullable<T[Name]> extends JsonObject
    ? Name | `${Name}.${keyof NonNullable<T[Name]> & string}`
    : Name;
}[keyof T & string];

/**
 * The paths in v2 of the fields of the flat form, by the source of a metric, in the order of the
 * flat form.
 */
type FlatFields<Flat, Metric extends { type: string }> = {
  readonly [Source in Exclude<keyof Metric & keyof Flat, 'type'>]-?: {
    readonly [Name in keyof NonNullable<Flat[Source]>]-?: FieldPath<NonNullable<Metric[Source]>>;
  };
};

/**
 * The table of metrics of a spec. v2beta1 and the annotations of v1 have the flat form
 * (`targetAverageUtilization: 50`), v2 has an identifier and a target or a current value.
 */
const targets: FlatFields<flat.MetricSpec, MetricSpec> = {
  object: {
    target: 'describedObject',
    metricName: 'metric.name',
    targetValue: 'target.value',
    selector: 'metric.selector',
    averageValue: 'target.averageValue',
  },
  pods: { metricName: 'metric.name', targetAverageValue: 'target.averageValue', selector: 'metric.selector' },
  resource: {
    name: 'name',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
  },
  containerResource: {
    name: 'name',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
    container: 'container',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    targetValue: 'target.value',
    targetAverageValue: 'target.averageValue',
  },
};

const currents: FlatFields<flat.MetricStatus, MetricStatus> = {
  object: {
    target: 'describedObject',
    metricName: 'metric.name',
    currentValue: 'current.value',
    selector: 'metric.selector',
    averageValue: 'current.averageValue',
  },
  pods: { metricName: 'metric.name', currentAverageValue: 'current.averageValue', selector: 'metric.selector' },
  resource: {
    name: 'name',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
  },
  containerResource: {
    name: 'name',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
    container: 'container',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    currentValue: 'current.value',
    currentAverageValue: 'current.averageValue',
  },
};

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Converts a metric of a spec from flat to v2. The type of a target follows from the values that
 * are set. The metric may be unchecked JSON of an annotation: the caller decodes the result.
 */
export function metricToStorage(metric: flat.MetricSpec): MetricSpec {
  const stored = fromFlat(metric, targets, 'target') as MetricSpec;
  const { object, pods, resource, containerResource, external } = stored;
  if (object?.target.averageValue === undefined) {
    if (object) object.target.value ??= '0';
  } else if (object.target.value === '0') delete object.target.value;
  for (const source of [object, pods, resource, containerResource, external]) {
    if (!source) continue;
    const { type: _type, ...values } = source.target;
    source.target = { type: targetTypeOf(values), ...values };
  }
  return stored;
}

function targetTypeOf({ averageUtilization, averageValue }: Omit<MetricTarget, 'type'>): string {
  if (averageUtilization !== undefined) return 'Utilization';
  return averageValue === undefined ? 'Value' : 'AverageValue';
}

/** Converts a metric of a spec from v2 to flat. A flat metric of an object always has a value. */
export function metricFromStorage(metric: MetricSpec): flat.MetricSpec {
  const { object } = metric;
  const filled = object ? { ...metric, object: { ...object, target: { value: '0', ...object.target } } } : metric;
  return toFlat(filled, targets) as flat.MetricSpec;
}

/** Converts a metric of a status from flat to v2; see `metricToStorage`. */
export function currentToStorage(metric: flat.MetricStatus): MetricStatus {
  return fromFlat(metric, currents, 'current') as MetricStatus;
}

/** Converts a metric of a status from v2 to flat. */
export function currentFromStorage(metric: MetricStatus): flat.MetricStatus {
  return toFlat(metric, currents) as flat.MetricStatus;
}

function fromFlat(metric: JsonObject, table: Table, values: 'target' | 'current'): JsonObject {
  return converted(metric, table, (source, fields) => {
    const stored: JsonObject = { [values]: {} };
    for (const [name, path] of Object.entries(fields)) {
      const value = getOwn(source, name) ?? null;
      const [field = '', inner] = path.split('.');
      if (value !== null) (inner === undefined ? stored : makeObjectAt(stored, field))[inner ?? field] = value;
    }
    return stored;
  });
}

function toFlat(metric: JsonObject, table: Table): JsonObject {
  return converted(metric, table, (source, fields) => {
    const made: JsonObject = {};
    for (const [name, path] of Object.entries(fields)) {
      const [field = '', inner] = path.split('.');
      const value = (inner === undefined ? source : objectAt(source, field))[inner ?? field] ?? null;
      if (value !== null) made[name] = value;
    }
    return made;
  });
}

/** Returns a copy of a metric with its sources converted, of which one is set. */
function converted(
  metric: JsonObject,
  table: Table,
  convert: (source: JsonObject, fields: Readonly<Record<string, string>>) => JsonObject,
): JsonObject {
  const copy: JsonObject = { ...metric };
  for (const [source, fields] of Object.entries(table)) {
    if (isSet(metric, source)) copy[source] = convert(objectAt(metric, source), fields);
  }
  return copy;
}
