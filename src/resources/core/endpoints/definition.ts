import type { Endpoints, EndpointSubset, EndpointAddress } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { joinFirst, orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkIpAddress, checkNotSpecial } from '../../rules/fields/ip.ts';

/** The strategy of Endpoints. A PUT may create them and needs no resourceVersion. */
const strategy: Strategy<Endpoints> = {
  validate: (endpoints) => {
    const cursor = new FieldCursor(endpoints);
    for (const subset of cursor.each('subsets')) checkSubset(subset);
    return cursor.errors;
  },
  allowCreateOnUpdate: true,
};

function checkSubset(subset: FieldCursor<EndpointSubset>): void {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset.value;
  if (addresses.length + notReadyAddresses.length === 0) {
    subset.reportRequired('must specify `addresses` or `notReadyAddresses`');
  }
  for (const address of subset.each('addresses')) checkAddress(address);
  for (const address of subset.each('notReadyAddresses')) checkAddress(address);
  for (const port of subset.each('ports')) {
    if (ports.length > 1) port.at('name').mustBeSet();
    const { value, path } = port.at('appProtocol');
    // An empty protocol is set, too.
    if (value !== undefined) port.report(...checkString(path, value, validateQualifiedName));
  }
}

function checkAddress(address: FieldCursor<EndpointAddress>): void {
  const { value, path } = address.at('ip');
  address.report(...checkIpAddress(path, value), ...checkNotSpecial(path, value));
}

/** The resource `endpoints` of the core group. */
export const endpoints = builtIn<Endpoints>({
  group: '',
  resource: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
  versions: { v1: { deprecated: { since: '1.33', replacement: 'discovery/v1', replacementKind: 'EndpointSlice' } } },
  shortNames: ['ep'],
  columns: [
    nameColumn,
    textColumn('Endpoints', 'Ready addresses with each of their ports.', ({ subsets = [] }) =>
      subsets.length === 0 ? orNone('') : joinFirst(subsets.flatMap(endpointsOf), shownEndpoints),
    ),
    ageColumn,
  ],
  strategy,
});

const shownEndpoints = 3;

function endpointsOf({ addresses = [], ports = [] }: EndpointSubset): readonly string[] {
  const hosts = addresses.map(({ ip }) => ip);
  if (ports.length === 0) return hosts;
  return ports.flatMap(({ port }) =>
    hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)),
  );
}
