import type { Endpoints, EndpointSubset } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { joinFirst, orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { strategy } from './strategy.ts';

/** The resource `endpoints` of the core group. */
export const endpoints = builtIn<Endpoints>({
  group: '',
  resource: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
  versions: { v1: {} },
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
