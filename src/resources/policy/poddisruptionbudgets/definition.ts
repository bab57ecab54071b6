import type { PodDisruptionBudget } from '../../../gen/stored/policy-v1.ts';
import { builtIn, typedConversion } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, integerColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isEmptySelector, checkLabelSelector } from '../../rules/fields/labels.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkAtMostAll, checkIntOrPercent } from '../../rules/fields/check-int-or-percent.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { checkCounts } from '../../rules/fields/field-checks.ts';

/** The strategy of pod disruption budgets. */
const strategy: Strategy<PodDisruptionBudget> = {
  plainFinalizers: true,
  validateName: validatePathSegment,
  validate: validateBudget,
  allowUnconditionalUpdate: false,
  subresources: {
    status: {
      validateUpdate: (budget, _, { version, emulated }) => [
        ...(isSince(emulated.release, '1.27')
          ? checkConditions('status.conditions', budget.status.conditions ?? [])
          : []),
        ...(version === 'v1beta1' ? [] : statusErrors(budget)),
      ],
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

/**
 * The conversion of budgets (spec 9.3). An empty selector matches no pods in v1beta1 and all pods
 * in v1. Each version represents the other's empty selector as an expression over a label that no
 * pod has.
 */
const budgetConversion = typedConversion<PodDisruptionBudget, PodDisruptionBudget>({
  toStorage: (budget, identifiers) => swap(budget, identifiers, 'Exists', 'DoesNotExist'),
  fromStorage: (budget, identifiers) => swap(budget, identifiers, 'DoesNotExist', 'Exists'),
});

/**
 * Replaces an empty selector by an expression with `operator`, and an expression with
 * `emptyOperator` by an empty selector. Never mutates.
 */
function swap(
  budget: PodDisruptionBudget,
  { labelDomain }: Identifiers,
  operator: string,
  emptyOperator: string,
): PodDisruptionBudget {
  const { selector } = budget.spec;
  if (!selector) return budget;
  const replaced = (other: LabelSelector) => ({ ...budget, spec: { ...budget.spec, selector: other } });
  const key = `pdb.${labelDomain}/deprecated-v1beta1-empty-selector-match`;
  if (isEmptySelector(selector)) return replaced({ matchExpressions: [{ key, operator }] });
  const [expression, ...others] = selector.matchExpressions ?? [];
  const isOnly = others.length === 0 && Object.keys(selector).length === 1;
  return isOnly && expression?.key === key && expression.operator === emptyOperator ? replaced({}) : budget;
}

/** The columns of disruption budgets. */
const columns: readonly Column<PodDisruptionBudget>[] = [
  nameColumn,
  textColumn('Min Available', 'Number or share of pods that must stay available.', ({ spec }) =>
    limit(spec.minAvailable),
  ),
  textColumn('Max Unavailable', 'Number or share of pods that may be unavailable.', ({ spec }) =>
    limit(spec.maxUnavailable),
  ),
  integerColumn(
    'Allowed Disruptions',
    'Number of pods that may be evicted now.',
    ({ status }) => status.disruptionsAllowed,
  ),
  ageColumn,
];

function limit(value: number | string | undefined): string {
  return value === undefined ? 'N/A' : `${value}`;
}

/** The resource `poddisruptionbudgets` of the group `policy`. */
export const podDisruptionBudgets = builtIn<PodDisruptionBudget>({
  group: 'policy',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
  versions: {
    v1: { introduced: '1.21' },
    v1beta1: {
      introduced: '1.5',
      deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' },
      conversion: budgetConversion,
    },
  },
  shortNames: ['pdb'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
