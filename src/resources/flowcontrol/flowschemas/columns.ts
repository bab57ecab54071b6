import type { Column, RowKey } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { countAt, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of flow schemas. */
export const columns: readonly Column[] = [
  name,
  text('PriorityLevel', 'Priority level of the requests that match.', (object) =>
    orNone(stringAt(objectAt(object, 'spec', 'priorityLevelConfiguration'), 'name')),
  ),
  text('MatchingPrecedence', 'Order in which schemas are tried; the lowest is first.', (object) =>
    countAt(objectAt(object, 'spec'), 'matchingPrecedence'),
  ),
  text('DistinguisherMethod', 'How requests are divided into flows.', (object) => {
    const spec = objectAt(object, 'spec');
    return isSet(spec, 'distinguisherMethod') ? stringAt(objectAt(spec, 'distinguisherMethod'), 'type') : orNone('');
  }),
  age,
  text('MissingPL', 'Whether the priority level does not exist.', (object) => {
    const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
    const dangling = conditions.find((condition) => stringAt(condition, 'type') === 'Dangling');
    return dangling ? stringAt(dangling, 'status') : '?';
  }),
];

/** Rows are in the order in which schemas are tried: by precedence, then by name. */
export function rowKey(schema: JsonObject): RowKey {
  return [numberAt(objectAt(schema, 'spec'), 'matchingPrecedence') ?? 0, nameOf(schema)];
}
