import type * as v1 from '../../../gen/stored/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../../gen/stored/autoscaling-v2.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue, getOwn } from '../../../meta/json-value.ts';
import { typedConversion } from '../../built-in.ts';
import { joinTolerances, readBehavior, shownBehavior, splitTolerances } from './behavior.ts';
import { currentFromStorage, currentToStorage, metricFromStorage, metricToStorage } from './metric.ts';
import { decodeJson } from '../../../codec/decode-json.ts';
import { encodeJson } from '../../../codec/encode-json.ts';
import { JsonDecodeError } from '../../../codec/decode-error.ts';
import type { ObjectMeta } from '../../../gen/stored/meta-v1.ts';

/** The parts of an autoscaler that older versions keep in annotations. */
type Kept = 'metrics' | 'current-metrics' | 'conditions' | 'behavior';

const all: readonly Kept[] = ['metrics', 'current-metrics', 'conditions', 'behavior'];

type Annotated = { readonly metadata: ObjectMeta };

function annotationOf(kept: Kept, { labelDomain }: Identifiers): string {
  return `autoscaling.alpha.${labelDomain}/${kept}`;
}

/** The metadata with values in annotations. Empty and missing values are left out. */
function metadataWith(
  { metadata }: Annotated,
  identifiers: Identifiers,
  values: Readonly<Partial<Record<Kept, JsonValue | undefined>>>,
): ObjectMeta {
  const annotations = { ...metadata.annotations };
  for (const name of all) {
    const value = values[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    annotations[annotationOf(name, identifiers)] = encodeJson(value);
  }
  return Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
}

/** The value in an annotation; undefined if it is missing or not JSON. */
function keptValue({ metadata }: Annotated, identifiers: Identifiers, kept: Kept): JsonValue | undefined {
  const text = getOwn(metadata.annotations ?? {}, annotationOf(kept, identifiers));
  if (!text) return undefined;
  try {
    return decodeJson(Buffer.from(text), { duplicates: false }).value;
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/** The list in an annotation; empty if it is missing or not a list. */
function keptList(autoscaler: Annotated, identifiers: Identifiers, kept: Kept): readonly JsonObject[] {
  const value = keptValue(autoscaler, identifiers, kept);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The metadata without these annotations. */
function metadataWithout({ metadata }: Annotated, identifiers: Identifiers): ObjectMeta {
  const { annotations = {}, ...rest } = metadata;
  const names = new Set(all.map((kept) => annotationOf(kept, identifiers)));
  const others = Object.entries(annotations).filter(([name]) => !names.has(name));
  return others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) };
}

/** An autoscaler in v2beta1: its metrics are flat. */
type FlatAutoscaler = Omit<HorizontalPodAutoscaler, 'spec' | 'status'> & {
  spec: Omit<HorizontalPodAutoscalerSpec, 'metrics' | 'behavior'> & { metrics?: v1.MetricSpec[] };
  status: Omit<HorizontalPodAutoscalerStatus, 'currentMetrics'> & { currentMetrics: v1.MetricStatus[] | null };
};

type Spec = HorizontalPodAutoscalerSpec;
type Status = HorizontalPodAutoscalerStatus;

/**
 * The conversions of autoscalers, which are stored as v2. v2beta2 has no tolerances. v2beta1 has
 * flat metrics and no behavior. v1 has only CPU utilization. Annotations keep what a version lacks,
 * so nothing is lost. Annotation values are unchecked JSON; the registry decodes the result of a
 * conversion.
 */
export const autoscalerConversions = {
  v1: typedConversion<v1.HorizontalPodAutoscaler, HorizontalPodAutoscaler>({
    toStorage: fromV1,
    fromStorage: toV1,
  }),
  v2beta2: typedConversion<HorizontalPodAutoscaler, HorizontalPodAutoscaler>({
    toStorage: fromV2Beta2,
    fromStorage: toV2Beta2,
  }),
  v2beta1: typedConversion<FlatAutoscaler, HorizontalPodAutoscaler>({
    toStorage: fromV2Beta1,
    fromStorage: toV2Beta1,
  }),
};

function fromV2Beta2(autoscaler: HorizontalPodAutoscaler, identifiers: Identifiers): HorizontalPodAutoscaler {
  const { spec } = autoscaler;
  const tolerances = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  if (!tolerances) return autoscaler;
  return {
    ...autoscaler,
    metadata: metadataWithout(autoscaler, identifiers),
    spec: { ...spec, behavior: joinTolerances(spec.behavior, tolerances) },
  };
}

function toV2Beta2(autoscaler: HorizontalPodAutoscaler, identifiers: Identifiers): HorizontalPodAutoscaler {
  const { spec } = autoscaler;
  const split = spec.behavior && splitTolerances(spec.behavior);
  return {
    ...autoscaler,
    metadata: metadataWith(autoscaler, identifiers, { behavior: split && shownBehavior(split.tolerances) }),
    spec: split ? { ...spec, behavior: split.rest } : spec,
  };
}

function fromV2Beta1(autoscaler: FlatAutoscaler, identifiers: Identifiers): HorizontalPodAutoscaler {
  const { metrics, ...spec } = autoscaler.spec;
  const { currentMetrics, ...status } = autoscaler.status;
  const behavior = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  return {
    ...autoscaler,
    metadata: metadataWithout(autoscaler, identifiers),
    spec: specOf(spec, behavior, metrics?.map(metricToStorage)),
    status: { ...status, currentMetrics: currentMetrics?.map(currentToStorage) ?? null },
  };
}

/** The spec in v2. Without metrics it is incomplete: the defaults give it one. */
function specOf(
  spec: Omit<Spec, 'metrics' | 'behavior'>,
  behavior: Spec['behavior'],
  metrics: Spec['metrics'] | undefined,
): Spec {
  return { ...spec, ...(metrics ? { metrics } : {}), ...(behavior ? { behavior } : {}) } as Spec;
}

function toV2Beta1(autoscaler: HorizontalPodAutoscaler, identifiers: Identifiers): FlatAutoscaler {
  const { behavior, metrics, ...spec } = autoscaler.spec;
  const { currentMetrics, ...status } = autoscaler.status;
  return {
    ...autoscaler,
    metadata: metadataWith(autoscaler, identifiers, { behavior: behavior && shownBehavior(behavior) }),
    spec: { ...spec, metrics: metrics.map(metricFromStorage) },
    status: { ...status, currentMetrics: currentMetrics?.map(currentFromStorage) ?? null },
  };
}

function fromV1(autoscaler: v1.HorizontalPodAutoscaler, identifiers: Identifiers): HorizontalPodAutoscaler {
  const { targetCPUUtilizationPercentage: averageUtilization, ...spec } = autoscaler.spec;
  const { currentCPUUtilizationPercentage: current, ...status } = autoscaler.status;
  const behavior = readBehavior(keptValue(autoscaler, identifiers, 'behavior'));
  const conditions = keptList(autoscaler, identifiers, 'conditions') as unknown as Status['conditions'];
  const kept = keptList(autoscaler, identifiers, 'metrics') as readonly v1.MetricSpec[];
  const metrics = kept.map(metricToStorage);
  if (averageUtilization !== undefined) {
    metrics.push({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } });
  }
  return {
    ...autoscaler,
    metadata: metadataWithout(autoscaler, identifiers),
    spec: specOf(spec, behavior, metrics.length > 0 ? metrics : undefined),
    status: {
      ...status,
      currentMetrics: currentMetricsOf(current, keptValue(autoscaler, identifiers, 'current-metrics')),
      ...(conditions?.length ? { conditions } : {}),
    },
  };
}

/**
 * The current metrics of a v1 object. The annotation, if readable, has all of them; otherwise the
 * field has CPU utilization.
 */
function currentMetricsOf(averageUtilization: number | undefined, kept: JsonValue | undefined): MetricStatus[] | null {
  if (kept === null) return null;
  if (Array.isArray(kept))
    return kept.filter(isJsonObject).map((metric) => currentToStorage(metric as v1.MetricStatus));
  if (averageUtilization === undefined) return null;
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }];
}

function toV1(autoscaler: HorizontalPodAutoscaler, identifiers: Identifiers): v1.HorizontalPodAutoscaler {
  const { metrics, behavior, ...spec } = autoscaler.spec;
  const { currentMetrics, conditions, currentReplicas = 0, ...status } = autoscaler.status;
  const [target, others] = takeCpu(metrics, ({ resource }) => resource?.target.averageUtilization);
  const [current] = takeCpu(currentMetrics ?? [], ({ resource }) => resource?.current.averageUtilization);
  return {
    ...autoscaler,
    metadata: metadataWith(autoscaler, identifiers, {
      metrics: others.map(metricFromStorage),
      'current-metrics': (currentMetrics ?? []).map(currentFromStorage),
      conditions,
      behavior: behavior && shownBehavior(behavior),
    }),
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      ...status,
      currentReplicas,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

/**
 * Takes the first CPU utilization out of a list of metrics: the only metric for which v1 has a
 * field. Returns its value, the other metrics, and the metric itself.
 */
export function takeCpu<Metric extends { type: string; resource?: { name: string } }>(
  metrics: readonly Metric[],
  utilization: (metric: Metric) => number | undefined,
): readonly [share: number | undefined, others: readonly Metric[], metric: Metric | undefined] {
  const cpu = metrics.find(
    (metric) => metric.type === 'Resource' && metric.resource?.name === 'cpu' && utilization(metric) !== undefined,
  );
  return cpu ? [utilization(cpu), metrics.filter((metric) => metric !== cpu), cpu] : [undefined, metrics, undefined];
}
