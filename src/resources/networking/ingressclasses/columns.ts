import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of ingress classes. */
export const columns: readonly Column[] = [
  name,
  text('Controller', 'Controller that serves the class.', (object) => stringAt(objectAt(object, 'spec'), 'controller')),
  text('Parameters', 'Object with further configuration for the controller.', parameters),
  age,
];

/** `Kind.group/name`, or `Kind/name` without a group. */
function parameters(object: JsonObject): string {
  const spec = objectAt(object, 'spec');
  if (!isSet(spec, 'parameters')) return orNone('');
  const reference = objectAt(spec, 'parameters');
  const group = isSet(reference, 'apiGroup') ? `.${stringAt(reference, 'apiGroup')}` : '';
  return `${stringAt(reference, 'kind')}${group}/${stringAt(reference, 'name')}`;
}
