import type { Column } from '../../../codec/table.ts';
import type { EndpointSlice } from '../../../gen/stored/discovery-v1.ts';
import { joinFirst } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

const shownItems = 3;

/** The columns of endpoint slices. */
export const columns: readonly Column<EndpointSlice>[] = [
  name,
  text('AddressType', 'Type of the addresses.', ({ addressType }) => addressType),
  text('Ports', 'Ports of all endpoints.', ({ ports }) =>
    // A port without number is shown by its name.
    joinOrUnset((ports ?? []).map(({ port, name: own }) => `${port ?? own}`)),
  ),
  text('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) =>
    joinOrUnset((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  ),
  age,
];

function joinOrUnset(texts: readonly string[]): string {
  return joinFirst(texts, shownItems) || '<unset>';
}
