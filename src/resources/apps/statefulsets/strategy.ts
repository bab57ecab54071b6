import type { JsonObject } from '../../../meta/json-value.ts';
import { allErrors } from '../../../status/all-errors.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { defaultRollingUpdate } from '../../rules/workloads/rolling-update.ts';
import { checkTemplateMetadata } from '../../rules/workloads/pod-template.ts';
import {
  checkCollisionCount,
  checkLastingPods,
  checkReadable,
  checkSelected,
  checkSelector,
  checkStatusCounts,
} from '../../rules/workloads/workload.ts';
import { scaleUnder } from '../../rules/workloads/scale.ts';

/** The strategy of StatefulSets. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: defaultStatefulSet,
  validate: validateStatefulSet,
  validateUpdate: checkFixedFields,
  subresources: {
    scale: scaleUnder({ group: 'apps', resource: 'statefulsets' }),
    status: { validateUpdate: validateStatus },
  },
};

function defaultStatefulSet(statefulSet: JsonObject): void {
  defaultTemplate(statefulSet);
  const spec = makeObjectAt(statefulSet, 'spec');
  const rollout = makeObjectAt(spec, 'updateStrategy');
  // As in kube-apiserver, a strategy with a type and without `rollingUpdate` gets no partition.
  if (stringAt(rollout, 'type') === '' || isSet(rollout, 'rollingUpdate')) {
    defaultRollingUpdate(rollout, { partition: 0 });
  }
  if (isSet(spec, claimTemplates)) spec[claimTemplates] = objectsAt(spec, claimTemplates).map(completeTemplate);
}

const claimTemplates = 'volumeClaimTemplates';

/**
 * Fills in the fields that a claim would get at creation, and its kind and version. Claims are
 * created from the templates unchanged.
 */
function completeTemplate(claim: JsonObject): JsonObject {
  const complete: JsonObject = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...claim };
  setDefault(complete, 'status', { phase: 'Pending' });
  return complete;
}

/**
 * All errors of a StatefulSet. The spec of the pod template is not checked as a whole, because
 * claim templates provide its volumes.
 */
function validateStatefulSet(statefulSet: JsonObject): readonly FieldError[] {
  const spec = objectAt(statefulSet, 'spec');
  const template = objectAt(spec, 'template');
  return [
    ...policyErrors(spec),
    ...strategyErrors(objectAt(spec, 'updateStrategy')),
    ...checkSelector(spec, 'statefulset'),
    ...checkReadable(spec, ''),
    ...checkSelected(spec),
    ...checkTemplateMetadata('spec.template', template),
    ...checkLastingPods(template, 'StatefulSet'),
  ];
}

function validateStatus(statefulSet: JsonObject, old: JsonObject): readonly FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas'];
  const counts = ['replicas', ...parts, 'observedGeneration', 'collisionCount'];
  const bounds = parts.map((name) => [name, 'replicas', 'status.replicas'] as const);
  return allErrors(checkStatusCounts(statefulSet, counts, bounds), checkCollisionCount(statefulSet, old));
}

function policyErrors(spec: JsonObject): readonly FieldError[] {
  const policy = stringAt(spec, 'podManagementPolicy');
  return ['', 'OrderedReady', 'Parallel'].includes(policy)
    ? []
    : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function strategyErrors(rollout: JsonObject): readonly FieldError[] {
  const type = stringAt(rollout, 'type');
  if (type !== '' && type !== 'OnDelete' && type !== 'RollingUpdate') {
    return [invalid('spec.updateStrategy', rollout, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (type !== 'OnDelete' || !isSet(rollout, 'rollingUpdate')) return [];
  const field = 'spec.updateStrategy.rollingUpdate';
  return [invalid(field, objectAt(rollout, 'rollingUpdate'), "only allowed for updateStrategy 'RollingUpdate'")];
}

/** The fields of the spec that an update may change. */
const changeable: ReadonlySet<string> = new Set([
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
]);

function checkFixedFields(statefulSet: JsonObject, old: JsonObject): readonly FieldError[] {
  return sameSpec(fixedPart(statefulSet), fixedPart(old)) ? [] : [forbidden('spec', fixedMessage)];
}

const sameSpec = sameMessage('api.apps.v1.StatefulSetSpec');
const fixedMessage =
  "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' and 'minReadySeconds' " +
  'are forbidden';

function fixedPart(statefulSet: JsonObject): JsonObject {
  const spec = objectAt(statefulSet, 'spec');
  const entries = Object.entries(spec).filter(([name]) => !changeable.has(name));
  // Older stored objects lack the kind of the claim templates or an empty service name. That does
  // not count as a change.
  return {
    ...Object.fromEntries(entries),
    serviceName: stringAt(spec, 'serviceName'),
    [claimTemplates]: objectsAt(spec, claimTemplates).map(completeTemplate),
  };
}
