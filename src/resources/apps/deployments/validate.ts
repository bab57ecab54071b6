import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/fields/int-or-percent.ts';
import { checkCounts } from '../../rules/fields/check.ts';
import {
  checkChosenTemplate,
  checkCollisionCount,
  checkSelector,
  checkStatusCounts,
} from '../../rules/workloads/workload.ts';

/** All errors of a Deployment. */
export function validateDeployment(deployment: JsonObject): readonly FieldError[] {
  const spec = objectAt(deployment, 'spec');
  return allErrors(
    checkSelector(spec, 'deployment'),
    // ReplicaSets create the pods, so messages name them.
    checkChosenTemplate(spec, 'ReplicaSet'),
    strategyErrors(objectAt(spec, 'strategy')),
    deadlineErrors(spec),
  );
}

const strategyTypes = ['Recreate', 'RollingUpdate'];

function strategyErrors(strategy: JsonObject): readonly FieldError[] {
  // Reported at the whole strategy.
  if (isSet(strategy, 'type') && !strategyTypes.includes(stringAt(strategy, 'type'))) {
    return [notSupported('spec.strategy', strategy, strategyTypes)];
  }
  const path = 'spec.strategy.rollingUpdate';
  const rollingUpdate = objectAt(strategy, 'rollingUpdate');
  if (stringAt(strategy, 'type') === 'Recreate') {
    return isSet(strategy, 'rollingUpdate')
      ? [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")]
      : noErrors;
  }
  const unavailable = getOwn(rollingUpdate, 'maxUnavailable');
  const stuck =
    isSet(strategy, 'rollingUpdate') && isNothing(unavailable) && isNothing(getOwn(rollingUpdate, 'maxSurge'));
  return allErrors(
    checkIntOrPercent(`${path}.maxUnavailable`, unavailable),
    checkIntOrPercent(`${path}.maxSurge`, getOwn(rollingUpdate, 'maxSurge')),
    stuck ? [invalid(`${path}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')] : noErrors,
    checkAtMostAll(`${path}.maxUnavailable`, unavailable),
  );
}

/** Both rules may refuse the deadline, so the first one is not left to the schema. */
function deadlineErrors(spec: JsonObject): readonly FieldError[] {
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  return allErrors(
    checkCounts('spec', spec, ['progressDeadlineSeconds']),
    deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : noErrors,
  );
}

/** All errors of the status of a Deployment. */
export function validateDeploymentStatus(deployment: JsonObject, old: JsonObject): readonly FieldError[] {
  return allErrors(validateStatusCounts(deployment), checkCollisionCount(deployment, old));
}

function validateStatusCounts(deployment: JsonObject): readonly FieldError[] {
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
