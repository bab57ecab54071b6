import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '../../gen/types/autoscaling-v2.ts';
import {
  countForAverage,
  countForShare,
  countForTotal,
  countForUtilization,
  type Recommendation,
  type TargetPods,
} from './count-replicas.ts';
import { quantityOf, thousandthsOf } from './metric-amounts.ts';
import type { MetricsReader } from './read-metrics.ts';
import { errorMessage } from '../../status/error-message.ts';

/** The target of an autoscaler, and how its metrics are read. */
export interface MetricContext extends TargetPods {
  /** The present number of pods, as the status of the scale reports it. */
  readonly present: number;
  /** Selects the pods. */
  readonly selector: string;
  readonly namespace: string;
  readonly metrics: MetricsReader;
}

/** The result of one metric: how many pods it asks for, and how it is shown. */
export interface EvaluatedMetric {
  readonly replicas: number;
  /** Names the metric in messages. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** The error for a metric without a value. `reason` is the reason of the condition. */
export class MetricError extends Error {
  readonly reason: string;

  /** `cause` is the failure; `prefix` names the metric in the message of the Event. */
  constructor(reason: string, prefix: string, cause: unknown) {
    super(`${prefix}${errorMessage(cause)}`, { cause });
    this.reason = reason;
  }

  /** The message of the failure, without the name of the metric. */
  get detail(): string {
    return errorMessage(this.cause);
  }
}

/**
 * Evaluates a metric. Throws MetricError, in the words of kube-controller-manager, if no number of
 * pods follows from it.
 */
export async function evaluateMetric(spec: MetricSpec, context: MetricContext): Promise<EvaluatedMetric> {
  const { type, resource, containerResource, pods, object, external } = spec;
  if (type === 'Resource' && resource) {
    return labelled('FailedGetResourceMetric', '', () => evaluateResource(resource, context));
  }
  if (type === 'ContainerResource' && containerResource) {
    return labelled('FailedGetContainerResourceMetric', '', () => evaluateResource(containerResource, context));
  }
  if (type === 'Pods' && pods) {
    return labelled('FailedGetPodsMetric', 'failed to get pods metric value: ', () => evaluatePods(pods, context));
  }
  if (type === 'Object' && object) {
    const { metric, target } = object;
    const inner = isShared(target) ? `failed to get ${metric.name} object metric: ` : '';
    const prefix = `failed to get object metric value: ${inner}`;
    return labelled('FailedGetObjectMetric', prefix, () => evaluateObject(object, context));
  }
  if (type === 'External' && external) {
    const { metric, target } = external;
    const what = isShared(target) ? `${metric.name} external metric` : `external metric ${metric.name}`;
    return labelled('FailedGetExternalMetric', `failed to get ${what}: `, () => evaluateExternal(external, context));
  }
  throw new MetricError('InvalidMetricSourceType', '', `unknown metric source type "${type}"`);
}

/** True for a target that is divided among the pods. */
function isShared({ averageValue }: MetricTarget): boolean {
  return averageValue !== undefined;
}

async function labelled(
  reason: string,
  prefix: string,
  evaluate: () => Promise<EvaluatedMetric>,
): Promise<EvaluatedMetric> {
  try {
    return await evaluate();
  } catch (error) {
    throw new MetricError(reason, prefix, error);
  }
}

async function evaluateResource(
  source: ResourceMetricSource | ContainerResourceMetricSource,
  context: MetricContext,
): Promise<EvaluatedMetric> {
  const { name: resource, target } = source;
  const container = 'container' in source ? source.container : undefined;
  const read = () => context.metrics.ofResource(resource, context.selector, container);
  const shown = (current: MetricValueStatus): MetricStatus =>
    container === undefined
      ? { type: 'Resource', resource: { name: resource, current } }
      : { type: 'ContainerResource', containerResource: { name: resource, container, current } };
  const wanted = wantedOf(target, 'averageValue');
  if (wanted !== undefined) {
    // kube-controller-manager has this message although the target is no utilization.
    const found = await explained(`failed to get ${resource} utilization`, async () =>
      countForAverage(context, await metricsOf(resource, read), wanted, resource),
    );
    return {
      replicas: found.replicas,
      name: `${resource} resource`,
      status: shown({ averageValue: quantityOf(found.value) }),
    };
  }
  const percent = target.averageUtilization;
  if (percent === undefined) throw new Error(noTarget('resource', 'a utilization target nor a value target'));
  const found = await explained(`failed to get ${resource} utilization`, async () =>
    countForUtilization(context, await metricsOf(resource, read), { resource, container, percent }),
  );
  return {
    replicas: found.replicas,
    name: `${resource} resource utilization (percentage of request)`,
    status: shown({ averageUtilization: found.utilization, averageValue: quantityOf(found.value) }),
  };
}

function metricsOf<Result>(resource: string, read: () => Promise<Result>): Promise<Result> {
  return explained(`unable to get metrics for resource ${resource}`, read);
}

async function evaluatePods({ metric, target }: PodsMetricSource, context: MetricContext): Promise<EvaluatedMetric> {
  const samples = await explained(`unable to get metric ${metric.name}`, () =>
    context.metrics.ofPods(metric, context.selector),
  );
  const { replicas, value } = countForAverage(context, samples, wantedOf(target, 'averageValue') ?? 0);
  const status = { type: 'Pods', pods: { metric, current: { averageValue: quantityOf(value) } } };
  return { replicas, name: `pods metric ${metric.name}`, status };
}

async function evaluateObject(source: ObjectMetricSource, context: MetricContext): Promise<EvaluatedMetric> {
  const { metric, target, describedObject } = source;
  const { kind, name: objectName } = describedObject;
  const { replicas, current } = await evaluateTotal('object', target, context, async () => {
    try {
      return await context.metrics.ofObject(metric, describedObject);
    } catch (error) {
      // The parts have the order of kube-controller-manager.
      const where = `${kind} on ${context.namespace} ${objectName}`;
      throw new Error(`unable to get metric ${metric.name}: ${where}/${errorMessage(error)}`, { cause: error });
    }
  });
  const status = { type: 'Object', object: { metric, describedObject, current } };
  // An average of the metric of an object is named as an external metric is.
  const name = current.averageValue === undefined ? `${kind} metric ${metric.name}` : externalName(metric);
  return { replicas, name, status };
}

async function evaluateExternal(source: ExternalMetricSource, context: MetricContext): Promise<EvaluatedMetric> {
  const { metric, target } = source;
  const shown = `${context.namespace}/${metric.name}/${shownSelector(metric)}`;
  const { replicas, current } = await evaluateTotal('external', target, context, () =>
    explained(`unable to get external metric ${shown}`, () => context.metrics.external(metric)),
  );
  const status = { type: 'External', external: { metric, current } };
  return { replicas, name: externalName(metric), status };
}

function externalName(metric: MetricIdentifier): string {
  return `external metric ${metric.name}(${shownSelector(metric)})`;
}

/** A metric of the whole target: its value is held, or its share for each pod. */
async function evaluateTotal(
  what: string,
  target: MetricTarget,
  context: MetricContext,
  read: () => Promise<number>,
): Promise<{ readonly replicas: number; readonly current: MetricValueStatus }> {
  const share = wantedOf(target, 'averageValue');
  if (share !== undefined) {
    const found = countForShare(await read(), share, context);
    return { replicas: found.replicas, current: { averageValue: quantityOf(found.value) } };
  }
  const wanted = wantedOf(target, 'value');
  if (wanted === undefined) throw new Error(noTarget(what, 'a value target nor an average value target'));
  const found: Recommendation = countForTotal(context, await read(), wanted);
  return { replicas: found.replicas, current: { value: quantityOf(found.value) } };
}

/** A target in thousandths, if it has one of this form. */
function wantedOf(target: MetricTarget, form: 'value' | 'averageValue'): number | undefined {
  const wanted = target[form];
  return wanted === undefined ? undefined : thousandthsOf(wanted);
}

function noTarget(what: string, targets: string): string {
  return `invalid ${what} metric source: neither ${targets} was set`;
}

async function explained<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`${what}: ${errorMessage(error)}`, { cause: error });
  }
}

/** A selector as kube-controller-manager prints it. */
function shownSelector({ selector }: MetricIdentifier): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const terms = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const map = labels.map(([name, value]) => `${name}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${terms.join('')}},}`;
}
