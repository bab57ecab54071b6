import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '../../../gen/stored/apps-v1.ts';
import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { validateDnsLabel, validateDnsSubdomain, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { type ApiRelease, isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { schemaOf } from '../../../scheme/schema-of.ts';
import { validateSchema } from '../../../scheme/validate-schema.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { checkClaimSpec } from '../../core/persistentvolumeclaims/validate.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { checkNotNegative } from '../../rules/fields/field-checks.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/fields/check-int-or-percent.ts';
import { checkPodTemplate, checkTemplateMetadata } from '../../rules/workloads/check-pod-template.ts';
import { isReadableSelector } from '../../rules/fields/labels.ts';
import { scaleUnder } from '../../rules/workloads/scale-of.ts';
import {
  checkCollisionCount,
  checkLastingPods,
  checkReadable,
  checkSelected,
  checkSelector,
  checkStatusCounts,
} from '../../rules/workloads/check-selector.ts';

/** The name rule of releases before 1.33, which allows dots. */
export const dottedNames: Partial<Strategy> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDnsSubdomain, name) : validateDnsSubdomain(name)),
};

/** The strategy of StatefulSets. */
export const strategy: Strategy<StatefulSet> = {
  templatePath: ['spec', 'template'],
  default: defaultStatefulSet,
  // The name must be a label, because it is part of the host names of pods.
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDnsLabel, name) : validateDnsLabel(name)),
  validate: validateStatefulSet,
  validateUpdate: ({ spec }, old, { emulated: { release } }) =>
    sameSpec(fixedPart(spec, release), fixedPart(old.spec, release)) ? [] : [forbidden('spec', fixedMessage(release))],
  subresources: {
    scale: scaleUnder({ group: 'apps', resource: 'statefulsets' }),
    status: { validateUpdate: validateStatus },
  },
};

function defaultStatefulSet({ spec }: StatefulSet, context: StrategyContext): void {
  defaultPodTemplate(spec.template, context);
  // As in kube-apiserver, a strategy with a type and without `rollingUpdate` gets no partition.
  if (!spec.updateStrategy.type) {
    spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 }, ...spec.updateStrategy };
  }
  defaultLaterParts(spec, context);
  if (spec.volumeClaimTemplates) spec.volumeClaimTemplates = spec.volumeClaimTemplates.map(completeTemplate);
}

/** Sets the defaults of later fields: claims are retained. Mutates. */
function defaultLaterParts(spec: StatefulSetSpec, { emulated: { release, isFeatureEnabled } }: StrategyContext): void {
  if (isSince(release, '1.27') && isFeatureEnabled('StatefulSetAutoDeletePVC')) {
    spec.persistentVolumeClaimRetentionPolicy = {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
      ...spec.persistentVolumeClaimRetentionPolicy,
    };
  }
  const { type, rollingUpdate } = spec.updateStrategy;
  const limits = isSince(release, '1.27') && isFeatureEnabled('MaxUnavailableStatefulSet');
  if (limits && type === 'RollingUpdate' && rollingUpdate) rollingUpdate.maxUnavailable ??= 1;
}

/** Fills in the kind and version of a claim. Claims are created from the templates unchanged. */
function completeTemplate(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...claim };
}

/**
 * All errors of a StatefulSet. Releases before 1.33 do not validate the spec of the pod template.
 */
function validateStatefulSet(
  statefulSet: StatefulSet,
  { emulated }: StrategyContext,
  old?: StatefulSet,
): readonly FieldError[] {
  const spec = new FieldCursor(statefulSet).at('spec');
  const policy = spec.at('podManagementPolicy');
  if (!['OrderedReady', 'Parallel'].includes(policy.value)) {
    policy.reportInvalid("must be 'OrderedReady' or 'Parallel'");
  }
  checkStrategy(spec.at('updateStrategy'));
  checkRetention(spec.at('persistentVolumeClaimRetentionPolicy'));
  const start = spec.value.ordinals?.start;
  spec.report(...checkNotNegative('spec.ordinals.start', start));
  checkSelector(spec, 'statefulset');
  checkReadable(spec, '');
  checkSelected(spec);
  if (isSince(emulated.release, '1.33')) checkWhole(spec, emulated, old);
  checkTemplateMetadata(spec.at('template'));
  checkLastingPods(spec.at('template'), 'StatefulSet');
  return spec.errors;
}

/**
 * Checks the parts that are validated since 1.33: the pod template, the Service name and the claim
 * templates.
 */
function checkWhole(spec: FieldCursor<StatefulSetSpec>, emulated: EmulatedRelease, old: StatefulSet | undefined): void {
  const isReadable = !spec.value.selector || isReadableSelector(spec.value.selector);
  if (isReadable && (!old || templateErrors(old.spec, emulated).length === 0)) {
    spec.report(...templateErrors(spec.value, emulated));
  }
  if (old) return;
  spec.at('serviceName').mustBe(validateDnsLabel);
  for (const claim of spec.each('volumeClaimTemplates')) {
    const path = `${claim.path}.spec`;
    spec.report(
      ...validateSchema(schemaOf('api.core.v1.PersistentVolumeClaimSpec', emulated.release), claim.value.spec, {
        path,
      }),
    );
    spec.report(...checkClaimSpec(claim.value.spec, `${claim.path}.spec`, emulated));
  }
}

/**
 * The errors of the pod template as the controller completes it: with the volumes of claims, and
 * without the host name and subdomain, which the controller sets.
 */
function templateErrors(
  { template, volumeClaimTemplates = [] }: StatefulSetSpec,
  emulated: EmulatedRelease,
): readonly FieldError[] {
  const claimed = volumeClaimTemplates.map(({ metadata: { name = '' } }) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const { subdomain: _subdomain, hostname: _hostname, volumes = [], ...rest } = template.spec;
  const own = volumes.filter(({ name }) => !names.has(name));
  const spec = { ...rest, ...(claimed.length + own.length > 0 ? { volumes: [...claimed, ...own] } : {}) };
  const cursor = new FieldCursor({ template: { ...template, spec } }, 'spec');
  checkPodTemplate(cursor.at('template'), emulated);
  const schema = schemaOf('api.core.v1.PodTemplateSpec', emulated.release);
  return [...validateSchema(schema, cursor.value.template, { path: 'spec.template' }), ...cursor.errors];
}

const retentions = ['Retain', 'Delete'];

function checkRetention(policy: FieldCursor<StatefulSetSpec['persistentVolumeClaimRetentionPolicy']>): void {
  if (!policy.isPresent()) return;
  for (const name of ['whenDeleted', 'whenScaled'] as const) {
    const { value = '', path, errors } = policy.at(name);
    if (!retentions.includes(value)) errors.push(notSupported(path, value, retentions));
  }
}

function validateStatus(
  statefulSet: StatefulSet,
  old: StatefulSet,
  { emulated }: StrategyContext,
): readonly FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const;
  const counts = ['replicas', ...parts, 'observedGeneration', 'collisionCount'] as const;
  const bounds = parts.map((name) => [name, 'replicas', 'status.replicas'] as const);
  // Releases before 1.25 do not have `availableReplicas`.
  const available = [
    ['availableReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'readyReplicas', 'status.readyReplicas'],
  ] as const;
  return allErrors(
    isSince(emulated.release, '1.27')
      ? checkStatusCounts(statefulSet, [...counts, 'availableReplicas'], [...bounds, ...available])
      : checkStatusCounts(statefulSet, counts, bounds),
    checkCollisionCount(statefulSet, old),
  );
}

function checkStrategy(rollout: FieldCursor<StatefulSetUpdateStrategy>): void {
  const { type = '' } = rollout.value;
  if (!['OnDelete', 'RollingUpdate'].includes(type)) {
    rollout.reportInvalid("must be 'RollingUpdate' or 'OnDelete'");
  }
  const rolling = rollout.at('rollingUpdate');
  if (type === 'OnDelete' && rolling.isSet) {
    rolling.reportInvalid("only allowed for updateStrategy 'RollingUpdate'");
  }
  const { value, path, errors } = rolling.at('maxUnavailable');
  if (value === undefined) return;
  errors.push(...checkIntOrPercent(path, value));
  if (isNothing(value)) errors.push(invalid(path, value, 'cannot be 0'));
  errors.push(...checkAtMostAll(path, value));
}

const sameSpec = sameMessage('api.apps.v1.StatefulSetSpec');
/** The fields that an update may change in a release, in the order of the message. */
function mutableFields(release: ApiRelease): readonly string[] {
  return [
    'replicas',
    ...(isSince(release, '1.27') ? ['ordinals'] : []),
    'template',
    'updateStrategy',
    ...(isSince(release, '1.33') ? ['revisionHistoryLimit'] : []),
    ...(isSince(release, '1.27') ? ['persistentVolumeClaimRetentionPolicy'] : []),
  ];
}

function fixedMessage(release: ApiRelease): string {
  const names = mutableFields(release).map((name) => `'${name}'`);
  return `updates to statefulset spec for fields other than ${names.join(', ')} and 'minReadySeconds' are forbidden`;
}

/** The fields of a spec that an update may not change. */
function fixedPart(
  {
    replicas: _replicas,
    template: _template,
    updateStrategy: _updateStrategy,
    minReadySeconds: _minReadySeconds,
    persistentVolumeClaimRetentionPolicy: _retentionPolicy,
    ordinals: _ordinals,
    ...spec
  }: StatefulSetSpec,
  release: ApiRelease,
): Partial<StatefulSetSpec> {
  if (isSince(release, '1.33')) spec.revisionHistoryLimit = 0;
  // Older stored objects lack the kind of the claim templates, which does not count as a change.
  return { ...spec, volumeClaimTemplates: (spec.volumeClaimTemplates ?? []).map(completeTemplate) };
}
