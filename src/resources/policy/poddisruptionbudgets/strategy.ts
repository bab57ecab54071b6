import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { isSet, objectAt } from '../../../meta/read-field.ts';
import { checkAtMostAll, checkIntOrPercent } from '../../rules/fields/int-or-percent.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkCounts } from '../../rules/fields/check.ts';

/** The strategy of pod disruption budgets. */
export const strategy: Strategy = {
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
function statusErrors(budget: JsonObject): readonly FieldError[] {
  return checkCounts('status', objectAt(budget, 'status'), [
    'disruptionsAllowed',
    'currentHealthy',
    'desiredHealthy',
    'expectedPods',
  ]);
}

function validateBudget(budget: JsonObject): FieldError[] {
  const spec = objectAt(budget, 'spec');
  const both = isSet(spec, 'minAvailable') && isSet(spec, 'maxUnavailable');
  return [
    ...(both ? [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...checkIntOrPercent('spec.minAvailable', getOwn(spec, 'minAvailable')),
    ...checkIntOrPercent('spec.maxUnavailable', getOwn(spec, 'maxUnavailable')),
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => checkAtMostAll(`spec.${name}`, getOwn(spec, name))),
    ...checkLabelSelector('spec.selector', objectAt(spec, 'selector')),
  ];
}
