import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of API services. */
export const columns: readonly Column[] = [
  name,
  text('Service', 'Service that serves the version; Local if this server does.', service),
  text('Available', 'Whether the version is served.', available),
  age,
];

function service(object: JsonObject): string {
  const spec = objectAt(object, 'spec');
  if (!isSet(spec, 'service')) return 'Local';
  const reference = objectAt(spec, 'service');
  return `${stringAt(reference, 'namespace')}/${stringAt(reference, 'name')}`;
}

/** The status of the condition, with the reason if it is not True. */
function available(object: JsonObject): string {
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  const found = conditions.find((condition) => stringAt(condition, 'type') === 'Available');
  if (!found) return 'Unknown';
  const status = stringAt(found, 'status');
  return status === 'True' ? status : `${status} (${stringAt(found, 'reason')})`;
}
