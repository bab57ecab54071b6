import { getOwn, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkIntOrPercent } from '../../rules/int-or-percent.ts';
import { checkStatusCounts, checkWorkload } from '../../rules/workload.ts';

/** Every error of a Deployment. */
export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = objectAt(deployment, 'spec');
  return [
    ...checkWorkload(deployment, {
      kind: 'Deployment',
      counts: ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'],
    }),
    ...strategyErrors(objectAt(spec, 'strategy')),
    ...deadlineErrors(spec),
  ];
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = 'spec.strategy.rollingUpdate';
  const rollingUpdate = objectAt(strategy, 'rollingUpdate');
  if (stringAt(strategy, 'type') === 'Recreate') {
    return isSet(strategy, 'rollingUpdate')
      ? [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  const unavailable = getOwn(rollingUpdate, 'maxUnavailable');
  const stuck = isZero(unavailable) && isZero(getOwn(rollingUpdate, 'maxSurge'));
  return [
    ...checkIntOrPercent(`${path}.maxUnavailable`, unavailable),
    ...checkIntOrPercent(`${path}.maxSurge`, getOwn(rollingUpdate, 'maxSurge')),
    ...(stuck ? [invalid(`${path}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')] : []),
  ];
}

function isZero(value: JsonValue | undefined): boolean {
  return value === 0 || value === '0%';
}

function deadlineErrors(spec: JsonObject): FieldError[] {
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  return deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)
    ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
    : [];
}

/** Every error of the status of a Deployment. */
export function validateDeploymentStatus(deployment: JsonObject): FieldError[] {
  return checkStatusCounts(
    deployment,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
    ],
    [
      ['updatedReplicas', 'replicas', 'status.replicas'],
      ['readyReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ],
  );
}
