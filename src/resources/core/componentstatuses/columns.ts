import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../../meta/read-field.ts';
import { name, text } from '../../columns/column.ts';

/** The columns of component statuses. */
export const columns: readonly Column[] = [
  name,
  text('Status', 'Health of the component.', (object) => {
    return healthOf[stringAt(healthCondition(object), 'status')] ?? 'Unknown';
  }),
  text('Message', 'Answer of the component.', (object) => stringAt(healthCondition(object), 'message')),
  text('Error', 'Error of the last check.', (object) => stringAt(healthCondition(object), 'error')),
];

const healthOf: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };

function healthCondition(object: JsonObject): JsonObject {
  return objectsAt(object, 'conditions').find((condition) => stringAt(condition, 'type') === 'Healthy') ?? {};
}
