import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '../../../gen/stored/apps-v1.ts';
import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { checkTemplateMetadata } from '../../rules/workloads/pod-template.ts';
import { scaleUnder } from '../../rules/workloads/scale.ts';
import {
  checkCollisionCount,
  checkLastingPods,
  checkReadable,
  checkSelected,
  checkSelector,
  checkStatusCounts,
} from '../../rules/workloads/workload.ts';

/** The strategy of StatefulSets. */
export const strategy: Strategy<StatefulSet> = {
  templatePath: ['spec', 'template'],
  default: defaultStatefulSet,
  validate: validateStatefulSet,
  validateUpdate: ({ spec }, old) =>
    sameSpec(fixedPart(spec), fixedPart(old.spec)) ? [] : [forbidden('spec', fixedMessage)],
  subresources: {
    scale: scaleUnder({ group: 'apps', resource: 'statefulsets' }),
    status: { validateUpdate: validateStatus },
  },
};

function defaultStatefulSet({ spec }: StatefulSet): void {
  defaultPodTemplate(spec.template);
  // As in kube-apiserver, a strategy with a type and without `rollingUpdate` gets no partition.
  if (!spec.updateStrategy.type) {
    spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 }, ...spec.updateStrategy };
  }
  if (spec.volumeClaimTemplates) spec.volumeClaimTemplates = spec.volumeClaimTemplates.map(completeTemplate);
}

/** Fills in the kind and version of a claim. Claims are created from the templates unchanged. */
function completeTemplate(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...claim };
}

/**
 * All errors of a StatefulSet. The spec of the pod template is not checked as a whole, because
 * claim templates provide its volumes.
 */
function validateStatefulSet(statefulSet: StatefulSet): readonly FieldError[] {
  const spec = new FieldCursor(statefulSet).at('spec');
  const policy = spec.at('podManagementPolicy');
  if (!['OrderedReady', 'Parallel'].includes(policy.value)) {
    policy.reportInvalid("must be 'OrderedReady' or 'Parallel'");
  }
  checkStrategy(spec.at('updateStrategy'));
  checkSelector(spec, 'statefulset');
  checkReadable(spec, '');
  checkSelected(spec);
  checkTemplateMetadata(spec.at('template'));
  checkLastingPods(spec.at('template'), 'StatefulSet');
  return spec.errors;
}

function validateStatus(statefulSet: StatefulSet, old: StatefulSet): readonly FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const;
  const counts = ['replicas', ...parts, 'observedGeneration', 'collisionCount'] as const;
  const bounds = parts.map((name) => [name, 'replicas', 'status.replicas'] as const);
  return allErrors(checkStatusCounts(statefulSet, counts, bounds), checkCollisionCount(statefulSet, old));
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
}

const sameSpec = sameMessage('api.apps.v1.StatefulSetSpec');
const fixedMessage =
  "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' and 'minReadySeconds' " +
  'are forbidden';

/** The fields of a spec that an update may not change. */
function fixedPart({
  replicas: _replicas,
  template: _template,
  updateStrategy: _updateStrategy,
  minReadySeconds: _minReadySeconds,
  persistentVolumeClaimRetentionPolicy: _retentionPolicy,
  ...spec
}: StatefulSetSpec): Partial<StatefulSetSpec> {
  // Older stored objects lack the kind of the claim templates, which does not count as a change.
  return { ...spec, volumeClaimTemplates: (spec.volumeClaimTemplates ?? []).map(completeTemplate) };
}
