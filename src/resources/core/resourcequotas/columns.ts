import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of resource quotas. */
export const columns: readonly Column[] = [
  name,
  age,
  text('Request', 'Used and allowed amounts of everything except limits.', (object) => usage(object, false)),
  text('Limit', 'Used and allowed amounts of the limits of containers.', (object) => usage(object, true)),
];

/** `pods: 3/10, requests.cpu: 1/2`, sorted; resources named `limits.*`, or all others. */
function usage(quota: JsonObject, limits: boolean): string {
  const status = objectAt(quota, 'status');
  const used = objectAt(status, 'used');
  return stringEntriesAt(status, 'hard')
    .filter(([resource]) => resource.startsWith('limits.') === limits)
    .map(([resource, hard]) => `${resource}: ${stringAt(used, resource) || '0'}/${hard}`)
    .toSorted()
    .join(', ');
}
