import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  MetricSpec,
  MetricTarget,
} from '../../../gen/stored/autoscaling-v2.ts';
import { parseApiVersion } from '../../../meta/group-version-kind.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { validateDnsLabel, validatePathSegment } from '../../../meta/validate-name.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { checkContainerResourceName } from '../../rules/fields/resource-amounts.ts';
import { isMoreThan } from '../../rules/fields/field-checks.ts';
import { checkBehavior } from './behavior.ts';

/** The errors of an autoscaler that its schema does not report. */
export function validateAutoscaler(
  autoscaler: HorizontalPodAutoscaler,
  { emulated }: Pick<StrategyContext, 'emulated'>,
  old?: HorizontalPodAutoscaler,
): readonly FieldError[] {
  const spec = new FieldCursor(autoscaler).at('spec');
  checkBounds(spec, emulated, old);
  if (isSince(emulated.release, '1.36')) checkGroups(spec, old?.spec);
  spec.report(...checkMetrics(spec.value.metrics, emulated));
  spec.report(...checkBehavior('spec.behavior', spec.value.behavior ?? {}));
  return spec.errors;
}

function checkBounds(
  spec: FieldCursor<HorizontalPodAutoscalerSpec>,
  { release, isFeatureEnabled }: EmulatedRelease,
  old: HorizontalPodAutoscaler | undefined,
): void {
  const { metrics, minReplicas } = spec.value;
  const [least, most] = [spec.at('minReplicas'), spec.at('maxReplicas')];
  const bound = isFeatureEnabled('HPAScaleToZero') || old?.spec.minReplicas === 0 ? 0 : 1;
  if (least.value < bound) least.reportInvalid(`must be greater than or equal to ${bound}`);
  if (isSince(release, '1.36')) {
    if (most.value === 0) most.reportRequired('must be set and greater than 0');
    if (most.value < 0) most.reportInvalid('must be greater than or equal to 1');
  } else if (most.value < 1) most.reportInvalid('must be greater than 0');
  if (most.value < least.value) most.reportInvalid('must be greater than or equal to `minReplicas`');
  // One that may scale to zero needs a metric that does not come from its own pods.
  const wakes = metrics.some(({ type }) => type === 'External' || type === 'Object');
  if (minReplicas === 0 && !wakes) {
    spec
      .at('metrics')
      .reportForbidden('must specify at least one Object or External metric to support scaling to zero replicas');
  }
}

/**
 * Checks the API groups of references. The scale target must have a group unless it is a
 * ReplicationController. Unchanged references are not checked.
 */
function checkGroups(
  spec: FieldCursor<HorizontalPodAutoscalerSpec>,
  old: HorizontalPodAutoscalerSpec | undefined,
): void {
  const target = spec.at('scaleTargetRef');
  const { kind, apiVersion } = target.value;
  const isOld = old?.scaleTargetRef.kind === kind && old.scaleTargetRef.apiVersion === apiVersion;
  if (!isOld) checkGroup(target, kind === 'ReplicationController');
  const wasWrong = (old?.metrics ?? []).some(
    ({ type, object }) => type === 'Object' && object && !parseApiVersion(object.describedObject.apiVersion ?? ''),
  );
  if (wasWrong) return;
  for (const metric of spec.each('metrics')) {
    const given = sourceRules.find(([name]) => metric.value[name]);
    if (given?.[0] === 'object') checkGroup(metric.at('object').at('describedObject'), true);
  }
}

function checkGroup(reference: FieldCursor<CrossVersionObjectReference | undefined>, mayBeCore: boolean): void {
  const { apiVersion = '' } = reference.value ?? {};
  const parsed = parseApiVersion(apiVersion);
  const field = reference.at('apiVersion');
  if (!parsed) field.reportInvalid(`unexpected GroupVersion string: ${apiVersion}`, apiVersion);
  else if (parsed.group === '' && !mayBeCore) field.reportInvalid('apiVersion must specify API group', apiVersion);
}

/** The field of each metric type. */
const sources: Readonly<Record<string, Exclude<keyof MetricSpec, 'type'>>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** All errors of metrics, including the errors that their schema reports. */
export function checkMetrics(metrics: readonly MetricSpec[], emulated: EmulatedRelease): readonly FieldError[] {
  const spec = new FieldCursor({ metrics }, 'spec');
  for (const metric of spec.each('metrics')) checkMetric(metric, emulated);
  return spec.errors;
}

/**
 * Checks a metric. Only the first source that is set is checked, even if the type names another
 * one.
 */
function checkMetric(metric: FieldCursor<MetricSpec>, emulated: EmulatedRelease): void {
  const type = metric.at('type');
  const source = sources[type.value];
  type.mustBeSet('must specify a metric source type');
  if (!source) metric.report(notSupported(type.path, type.value, Object.keys(sources)));
  const given = sourceRules.filter(([name]) => metric.value[name]);
  for (const [, check] of given.slice(0, 1)) check(metric);
  if (source && !metric.value[source]) {
    const missing = 'must populate information for the given metric source';
    const gate = ' (only allowed when HPAContainerMetrics feature is enabled)';
    const isGated = source === 'containerResource' && !isSince(emulated.release, '1.30');
    metric.at(source).reportRequired(isGated ? missing + gate : missing);
  }
  if (given.length === 1) return;
  for (const [name] of given) {
    if (name !== source) metric.at(name).reportForbidden('must populate the given metric source only');
  }
}

type SourceRule = readonly [
  source: Exclude<keyof MetricSpec, 'type'>,
  check: (metric: FieldCursor<MetricSpec>) => void,
];

const valueOrAverage = 'must set either a target value for metric or a per-pod target';

/** The rules of the sources, in the order in which they are checked. */
const sourceRules: readonly SourceRule[] = [
  [
    'object',
    (metric) => {
      const [object, target] = [metric.at('object'), metric.at('object').at('target')];
      checkReference(object.at('describedObject'));
      checkName(object.at('metric').at('name'));
      checkTarget(target);
      const { value, averageValue } = target.value ?? {};
      if (!value && !averageValue) target.at('averageValue').reportRequired(`${valueOrAverage} value`);
    },
  ],
  [
    'external',
    (metric) => {
      const target = metric.at('external').at('target');
      checkName(metric.at('external').at('metric').at('name'));
      checkTarget(target);
      const { value, averageValue } = target.value ?? {};
      if (value && averageValue) {
        target.at('value').reportForbidden('may not set both a target value for metric and a per-pod target');
      }
      if (!value && !averageValue) target.at('averageValue').reportRequired(valueOrAverage);
    },
  ],
  [
    'pods',
    (metric) => {
      const target = metric.at('pods').at('target');
      checkName(metric.at('pods').at('metric').at('name'));
      checkTarget(target);
      target.at('averageValue').mustBeSet('must specify a positive target averageValue');
    },
  ],
  [
    'resource',
    (metric) => {
      const target = metric.at('resource').at('target');
      metric.at('resource').at('name').mustBeSet('must specify a resource name');
      checkAverage(target);
    },
  ],
  [
    'containerResource',
    (metric) => {
      const { name = '' } = metric.value.containerResource ?? {};
      const source = metric.at('containerResource');
      source.at('name').mustBeSet('must specify a resource name');
      if (name !== '') source.report(...checkContainerResourceName(source.at('name').path, name));
      source.at('container').mustBeSet('must specify a container');
      source.at('container').mustBe(validateDnsLabel);
      checkAverage(source.at('target'));
    },
  ],
];

/** Checks the target of a resource metric, which is an amount or a percentage. */
function checkAverage(target: FieldCursor<MetricTarget | undefined>): void {
  checkTarget(target);
  const [raw, utilization] = [target.at('averageValue'), target.at('averageUtilization')];
  if (raw.isSet && utilization.isSet) {
    raw.reportForbidden('may not set both a target raw value and a target utilization');
  }
  if (!raw.isSet && !utilization.isSet) {
    utilization.reportRequired('must set either a target raw value or a target utilization');
  }
}

function checkReference(reference: FieldCursor<CrossVersionObjectReference | undefined>): void {
  for (const name of ['kind', 'name'] as const) {
    reference.at(name).mustBeSet();
    reference.at(name).mustBe(validatePathSegment);
  }
}

function checkName(name: FieldCursor<string | undefined>): void {
  name.mustBeSet('must specify a metric name');
  name.mustBe(validatePathSegment);
}

const targetTypes: ReadonlySet<string> = new Set(['AverageValue', 'Utilization', 'Value']);

function checkTarget(target: FieldCursor<MetricTarget | undefined>): void {
  const [type, utilization] = [target.at('type'), target.at('averageUtilization')];
  type.mustBeSet('must specify a metric target type');
  if (!targetTypes.has(type.value ?? '')) type.reportInvalid('must be either Utilization, Value, or AverageValue');
  if ((utilization.value ?? 1) < 1) utilization.reportInvalid('must be greater than 0');
  for (const name of ['value', 'averageValue'] as const) {
    const amount = target.at(name);
    if (amount.value !== undefined && !isMoreThan(amount.value, '0')) amount.reportInvalid('must be positive');
  }
}
