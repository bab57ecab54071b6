import type { Column } from '../../../codec/table.ts';
import type { PodDisruptionBudget } from '../../../gen/stored/policy-v1.ts';
import { age, integer, name, text } from '../../columns/column.ts';

/** The columns of disruption budgets. */
export const columns: readonly Column<PodDisruptionBudget>[] = [
  name,
  text('Min Available', 'Number or share of pods that must stay available.', ({ spec }) => limit(spec.minAvailable)),
  text('Max Unavailable', 'Number or share of pods that may be unavailable.', ({ spec }) => limit(spec.maxUnavailable)),
  integer('Allowed Disruptions', 'Number of pods that may be evicted now.', ({ status }) => status.disruptionsAllowed),
  age,
];

function limit(value: number | string | undefined): string {
  return value === undefined ? 'N/A' : `${value}`;
}
