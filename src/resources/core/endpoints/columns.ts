import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../../meta/read-field.ts';
import { countAt, joinFirst, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of endpoints. */
export const columns: readonly Column[] = [
  name,
  text('Endpoints', 'Ready addresses with each of their ports.', endpoints),
  age,
];

const shownEndpoints = 3;

function endpoints(object: JsonObject): string {
  const subsets = objectsAt(object, 'subsets');
  return subsets.length === 0 ? orNone('') : joinFirst(subsets.flatMap(endpointsOf), shownEndpoints);
}

function endpointsOf(subset: JsonObject): readonly string[] {
  const addresses = objectsAt(subset, 'addresses').map((address) => stringAt(address, 'ip'));
  const ports = objectsAt(subset, 'ports');
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((address) => hostAndPort(address, `${countAt(port, 'port')}`)));
}

function hostAndPort(host: string, port: string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
