import type { Deployment, DeploymentSpec, DeploymentStrategy } from '../../../gen/stored/apps-v1.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { allErrors } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { checkNotNegative } from '../../rules/fields/field-checks.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/fields/check-int-or-percent.ts';
import {
  checkChosenTemplate,
  checkCollisionCount,
  checkSelector,
  checkStatusCounts,
} from '../../rules/workloads/check-selector.ts';
import { withOperatorsOfTemplate } from '../../core/pods/number-operators.ts';

/** All errors of a Deployment. */
export function validateDeployment(
  deployment: Deployment,
  { emulated }: StrategyContext,
  old?: Deployment,
): readonly FieldError[] {
  const spec = new FieldCursor(deployment).at('spec');
  checkSelector(spec, 'deployment');
  // ReplicaSets create the pods, so messages name them.
  checkChosenTemplate(spec, 'ReplicaSet', withOperatorsOfTemplate(old, emulated));
  checkStrategy(spec.at('strategy'));
  checkDeadline(spec);
  return spec.errors;
}

const strategyTypes = ['Recreate', 'RollingUpdate'];

function checkStrategy(strategy: FieldCursor<DeploymentStrategy>): void {
  const { type } = strategy.value;
  const rolling = strategy.at('rollingUpdate');
  // Reported at the whole strategy.
  if (!strategyTypes.includes(type)) strategy.report(notSupported(strategy.path, strategy.value, strategyTypes));
  else if (type === 'Recreate') {
    if (rolling.isSet) rolling.reportForbidden("may not be specified when strategy `type` is 'Recreate'");
  } else {
    const [unavailable, surge] = [rolling.at('maxUnavailable'), rolling.at('maxSurge')];
    for (const { value, path, errors } of [unavailable, surge]) errors.push(...checkIntOrPercent(path, value));
    if (isNothing(unavailable.value) && isNothing(surge.value)) {
      unavailable.reportInvalid('may not be 0 when `maxSurge` is 0');
    }
    unavailable.report(...checkAtMostAll(unavailable.path, unavailable.value));
  }
}

/** Checks the deadline. Both rules may refuse it, so the first one is not left to the schema. */
function checkDeadline(spec: FieldCursor<DeploymentSpec>): void {
  const { minReadySeconds = 0 } = spec.value;
  const deadline = spec.at('progressDeadlineSeconds');
  deadline.report(...checkNotNegative(deadline.path, deadline.value));
  if (deadline.value <= minReadySeconds) deadline.reportInvalid('must be greater than minReadySeconds');
}

/** All errors of the status of a Deployment. */
export function validateDeploymentStatus(deployment: Deployment, old: Deployment): readonly FieldError[] {
  const parts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return allErrors(
    checkStatusCounts(
      deployment,
      ['observedGeneration', 'replicas', ...parts, 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
      [
        ...parts.map((name) => [name, 'replicas', 'status.replicas'] as const),
        ['availableReplicas', 'readyReplicas', 'readyReplicas'],
      ],
    ),
    checkCollisionCount(deployment, old),
  );
}
