import type { EventDescription } from '../../client/events/event-recorder.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../gen/types/autoscaling-v2.ts';
import { formatTime } from '../../meta/time.ts';
import type { Tolerances } from './count-replicas.ts';
import type { MetricContext } from './evaluate-metric.ts';
import type { Scale } from '../../gen/types/autoscaling-v1.ts';
import { limitScaling } from './limit-scaling.ts';
import { thousandthsOf } from './metric-amounts.ts';
import { type MetricsRecommendation, recommendReplicas } from './recommend-replicas.ts';
import { newHistory, type ScalingHistory, withChange } from './scaling-history.ts';
import { errorMessage } from '../../status/error-message.ts';

/** The calls of `reconcile`, and the values of the target and the flags that it needs. */
export interface AutoscalerCalls {
  readonly findScale: () => Promise<Scale>;
  readonly writeScale: (replicas: number) => Promise<void>;
  /** Writes a status if it differs from the status of the object. */
  readonly updateStatus: (status: HorizontalPodAutoscalerStatus) => Promise<void>;
  /** Keeps the history for the next call. */
  readonly remember: (history: ScalingHistory) => void;
  readonly report: (event: EventDescription) => void;
  /** The pods of the target and its metrics, for a selector in the form of a text. */
  readonly contextOf: (selector: string) => Pick<MetricContext, 'pods' | 'namespace' | 'metrics' | 'periods'>;
  readonly downscaleWindowMs: number;
  readonly tolerance: number;
  /**
   * True for servers since 1.36: a target with zero replicas is scaled up only if an autoscaler
   * scaled it down.
   */
  readonly remembersZero: boolean;
  readonly nowMs: number;
}

/** A number of pods to scale to, and why. */
interface Decision {
  readonly replicas: number;
  readonly reason: string;
}

/**
 * Scales the target of an autoscaler as its metrics ask for, and reports that in its status. Throws
 * Error if the metrics or the target could not be read, after the status has been written.
 */
export async function reconcile(
  autoscaler: HorizontalPodAutoscaler & { readonly spec: HorizontalPodAutoscalerSpec },
  history: ScalingHistory | undefined,
  calls: AutoscalerCalls,
): Promise<void> {
  const draft = new StatusDraft(autoscaler, calls);
  try {
    await scaleTarget(autoscaler.spec, history, calls, draft);
  } finally {
    await draft.write();
  }
}

async function scaleTarget(
  spec: HorizontalPodAutoscalerSpec,
  history: ScalingHistory | undefined,
  calls: AutoscalerCalls,
  draft: StatusDraft,
): Promise<void> {
  const scale = await found(calls, draft);
  const current = scale.spec?.replicas ?? 0;
  const known = history ?? newHistory(current, calls.nowMs);
  calls.remember(known);
  draft.currentReplicas = current;
  const { minReplicas: min = 1, maxReplicas: max } = spec;
  const wasScaledToZero = draft.isTrue('ScaledToZero');
  const comesBack = wasScaledToZero && (min !== 0 || hasOuterMetrics(spec));
  if (current === 0 && !(calls.remembersZero ? comesBack : min === 0)) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    draft.set('ScalingActive', false, 'ScalingDisabled', message);
    draft.desiredReplicas = current;
    draft.metrics = [];
    return;
  }
  // A target with zero replicas is always scaled by its metrics; the minimum only limits the
  // result.
  const bound = current === 0 ? undefined : outsideBounds(current, min, max);
  const limited = bound ? undefined : await limitedByMetrics(spec, scale, known, calls, draft);
  const { replicas, reason } = bound ?? limited ?? { replicas: current, reason: '' };
  const next = limited?.history ?? known;
  calls.remember(next);
  if (bound) draft.metrics = [];
  if (replicas === current) {
    draft.desiredReplicas = current;
    return;
  }
  await rescale({ replicas, reason }, calls, draft);
  if (calls.remembersZero && (min === 0 || draft.has('ScaledToZero'))) {
    const isZero = replicas === 0 && hasOuterMetrics(spec);
    const text = `the HPA controller ${isZero ? 'scaled' : 'did not scale'} the workload to zero`;
    draft.set('ScaledToZero', isZero, isZero ? 'ScaledToZero' : 'NotScaledToZero', text);
  }
  calls.remember(withChange(next, current, replicas, calls.nowMs));
}

/** True if a metric exists that does not need running pods. */
function hasOuterMetrics({ metrics = [] }: HorizontalPodAutoscalerSpec): boolean {
  return metrics.some(({ type }) => type === 'Object' || type === 'External');
}

async function found({ findScale, report }: AutoscalerCalls, draft: StatusDraft): Promise<Scale> {
  try {
    const scale = await findScale();
    const message = "the HPA controller was able to get the target's current scale";
    draft.set('AbleToScale', true, 'SucceededGetScale', message);
    return scale;
  } catch (error) {
    const message = errorMessage(error);
    report({ type: 'Warning', reason: 'FailedGetScale', message });
    const text = `the HPA controller was unable to get the target's current scale: ${message}`;
    draft.set('AbleToScale', false, 'FailedGetScale', text);
    throw error;
  }
}

function outsideBounds(current: number, min: number, max: number): Decision | undefined {
  if (current > max) return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas' };
  if (current < min) return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas' };
  return undefined;
}

async function limitedByMetrics(
  spec: HorizontalPodAutoscalerSpec,
  scale: Scale,
  history: ScalingHistory,
  calls: AutoscalerCalls,
  draft: StatusDraft,
): Promise<Decision & { readonly history: ScalingHistory }> {
  const current = scale.spec?.replicas ?? 0;
  const recommended = await readMetrics(spec, scale, calls, draft);
  const { minReplicas: min = 1, maxReplicas: max, behavior } = spec;
  const { downscaleWindowMs, nowMs } = calls;
  const desired = recommended.replicas;
  const wanted = { current, desired, min, max, behavior, downscaleWindowMs, nowMs };
  const result = limitScaling(wanted, history);
  draft.set('AbleToScale', true, result.stabilized.reason, result.stabilized.message);
  draft.set('ScalingLimited', result.limited.isLimited, result.limited.reason, result.limited.message);
  draft.metrics = recommended.statuses;
  const reason = desired > current ? `${recommended.name} above target` : 'All metrics below target';
  return { replicas: result.replicas, reason: desired === current ? '' : reason, history: result.history };
}

/** Reads the metrics of the target. Throws Error if they are not enough to decide. */
async function readMetrics(
  { metrics = [], behavior }: HorizontalPodAutoscalerSpec,
  { spec, status }: Scale,
  calls: AutoscalerCalls,
  draft: StatusDraft,
): Promise<MetricsRecommendation & { readonly replicas: number }> {
  const { selector = '' } = status ?? {};
  if (selector === '') {
    calls.report({ type: 'Warning', reason: 'SelectorRequired', message: 'selector is required' });
    draft.set('ScalingActive', false, 'InvalidSelector', "the HPA target's scale is missing a selector");
    return failedMetrics(calls, 'selector is required');
  }
  const result = await recommendReplicas(metrics, {
    ...calls.contextOf(selector),
    selector,
    current: spec?.replicas ?? 0,
    present: status?.replicas ?? 0,
    tolerances: tolerancesOf(behavior, calls.tolerance),
  });
  for (const { reason, detail } of result.errors) calls.report({ type: 'Warning', reason, message: detail });
  const { replicas, errors } = result;
  const [first] = errors;
  if (replicas === undefined) {
    const detail = first?.detail ?? '';
    const message = `the HPA was unable to compute the replica count: ${detail}`;
    draft.set('ScalingActive', false, first?.reason ?? 'InvalidMetricSourceType', message);
    const text = `invalid metrics (${errors.length} invalid out of ${metrics.length}), first error is: ${first?.message ?? ''}`;
    return failedMetrics(calls, text);
  }
  const message = `the HPA was able to successfully calculate a replica count from ${result.name}`;
  draft.set('ScalingActive', true, 'ValidMetricFound', message);
  return { ...result, replicas };
}

function failedMetrics({ report }: AutoscalerCalls, message: string): never {
  report({ type: 'Warning', reason: 'FailedComputeMetricsReplicas', message });
  throw new Error(message);
}

function tolerancesOf(behavior: HorizontalPodAutoscalerSpec['behavior'], usual: number): Tolerances {
  const of = (text: string | undefined): number => (text === undefined ? usual : thousandthsOf(text) / 1000);
  return { below: of(behavior?.scaleDown?.tolerance), above: of(behavior?.scaleUp?.tolerance) };
}

async function rescale(
  { replicas, reason }: Decision,
  { writeScale, report }: AutoscalerCalls,
  draft: StatusDraft,
): Promise<void> {
  const message = `New size: ${replicas}; reason: ${reason}`;
  try {
    await writeScale(replicas);
  } catch (error) {
    report({ type: 'Warning', reason: 'FailedRescale', message: `${message}; error: ${errorMessage(error)}` });
    const text = `the HPA controller was unable to update the target scale: ${errorMessage(error)}`;
    draft.set('AbleToScale', false, 'FailedUpdateScale', text);
    throw error;
  }
  const text = `the HPA controller was able to update the target scale to ${replicas}`;
  draft.set('AbleToScale', true, 'SucceededRescale', text);
  report({ type: 'Normal', reason: 'SuccessfulRescale', message });
  draft.desiredReplicas = replicas;
  draft.hasScaled = true;
}

/** The status of an autoscaler while it is being worked out. */
class StatusDraft {
  readonly #autoscaler: HorizontalPodAutoscaler;
  readonly #calls: AutoscalerCalls;
  #conditions: readonly HorizontalPodAutoscalerCondition[];
  currentReplicas: number;
  desiredReplicas: number;
  metrics: readonly MetricStatus[];
  hasScaled = false;

  constructor(autoscaler: HorizontalPodAutoscaler, calls: AutoscalerCalls) {
    const { conditions, currentReplicas = 0, desiredReplicas = 0, currentMetrics } = autoscaler.status ?? {};
    this.#autoscaler = autoscaler;
    this.#calls = calls;
    this.#conditions = conditions ?? [];
    this.currentReplicas = currentReplicas;
    this.desiredReplicas = desiredReplicas;
    this.metrics = currentMetrics ?? [];
  }

  set(type: Parameters<typeof withCondition>[1]['type'], isTrue: boolean, reason: string, message: string): void {
    const time = formatTime(this.#calls.nowMs);
    this.#conditions = withCondition(this.#conditions, { type, isTrue, reason, message }, time);
  }

  /** True if a condition exists. */
  has(type: ConditionType): boolean {
    return this.#conditions.some((condition) => condition.type === type);
  }

  /** True if a condition has the status True. */
  isTrue(type: ConditionType): boolean {
    return this.#conditions.some((condition) => condition.type === type && condition.status === 'True');
  }

  async write(): Promise<void> {
    const { metadata, status } = this.#autoscaler;
    const lastScaleTime = this.hasScaled ? formatTime(this.#calls.nowMs) : status?.lastScaleTime;
    const next: HorizontalPodAutoscalerStatus = {
      ...(metadata?.generation === undefined ? {} : { observedGeneration: metadata.generation }),
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
      currentReplicas: this.currentReplicas,
      desiredReplicas: this.desiredReplicas,
      ...(this.metrics.length === 0 ? {} : { currentMetrics: [...this.metrics] }),
      conditions: [...this.#conditions],
    };
    await this.#calls.updateStatus(next);
  }
}

/** The conditions of autoscalers. */
type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited' | 'ScaledToZero';

/** A condition without its time. */
interface ConditionChange {
  readonly type: ConditionType;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The conditions with one of them set. Its time is the time of the last change of its status. */
function withCondition(
  conditions: readonly HorizontalPodAutoscalerCondition[],
  { type, isTrue, reason, message }: ConditionChange,
  time: string,
): HorizontalPodAutoscalerCondition[] {
  const status = isTrue ? 'True' : 'False';
  const present = conditions.find((each) => each.type === type);
  const lastTransitionTime = present?.status === status ? present.lastTransitionTime : time;
  const condition = { type, status, lastTransitionTime, reason, message };
  return present ? conditions.map((each) => (each === present ? condition : each)) : [...conditions, condition];
}
