import type { PodDisruptionBudget } from '../../../gen/stored/policy-v1.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkAtMostAll, checkIntOrPercent } from '../../rules/fields/int-or-percent.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkCounts } from '../../rules/fields/check.ts';

/** The strategy of pod disruption budgets. */
export const strategy: Strategy<PodDisruptionBudget> = {
  plainFinalizers: true,
  validateName: validatePathSegment,
  validate: validateBudget,
  allowUnconditionalUpdate: false,
  subresources: {
    status: {
      validateUpdate: (budget, _, { version }) => (version === 'v1beta1' ? [] : statusErrors(budget)),
    },
  },
};

/** Checks the counts of a status. v1beta1 accepts negative ones. */
function statusErrors({ status }: PodDisruptionBudget): readonly FieldError[] {
  return checkCounts('status', status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']);
}

function validateBudget({ spec }: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector = {} } = spec;
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(both ? [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...checkIntOrPercent('spec.minAvailable', minAvailable),
    ...checkIntOrPercent('spec.maxUnavailable', maxUnavailable),
    ...checkAtMostAll('spec.minAvailable', minAvailable),
    ...checkAtMostAll('spec.maxUnavailable', maxUnavailable),
    ...checkLabelSelector('spec.selector', selector),
  ];
}
