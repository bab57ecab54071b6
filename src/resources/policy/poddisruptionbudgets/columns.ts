import type { Column } from '../../../codec/table.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, integer, name, text } from '../../columns/column.ts';

/** The columns of disruption budgets. */
export const columns: readonly Column[] = [
  name,
  text('Min Available', 'Number or share of pods that must stay available.', (object) => limit(object, 'minAvailable')),
  text('Max Unavailable', 'Number or share of pods that may be unavailable.', (object) =>
    limit(object, 'maxUnavailable'),
  ),
  integer('Allowed Disruptions', 'Number of pods that may be evicted now.', (object) =>
    countAt(objectAt(object, 'status'), 'disruptionsAllowed'),
  ),
  age,
];

function limit(budget: JsonObject, field: string): string {
  const value = getOwn(objectAt(budget, 'spec'), field);
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : 'N/A';
}
