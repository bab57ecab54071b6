import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { countAt, joinFirst } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

const shownItems = 3;

/** The columns of endpoint slices. */
export const columns: readonly Column[] = [
  name,
  text('AddressType', 'Type of the addresses.', (object) => stringAt(object, 'addressType')),
  text('Ports', 'Ports of all endpoints.', (object) => joinOrUnset(objectsAt(object, 'ports').map(formatPort))),
  text('Endpoints', 'Addresses of the endpoints.', (object) =>
    joinOrUnset(objectsAt(object, 'endpoints').flatMap((endpoint) => stringsAt(endpoint, 'addresses'))),
  ),
  age,
];

function joinOrUnset(texts: readonly string[]): string {
  return joinFirst(texts, shownItems) || '<unset>';
}

/** The number of a port; without one its name. */
function formatPort(port: JsonObject): string {
  return isSet(port, 'port') ? `${countAt(port, 'port')}` : stringAt(port, 'name');
}
