import type { Endpoint, EndpointSlice } from '../../../gen/stored/discovery-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { typedConversion } from '../../built-in.ts';

type BetaEndpoint = Omit<Endpoint, 'deprecatedTopology' | 'zone'> & { readonly topology?: Record<string, string> };

interface BetaSlice {
  readonly endpoints: readonly BetaEndpoint[] | null;
}

/**
 * The conversion of endpoint slices (spec 9.3). v1beta1 has the position of an endpoint in
 * `topology`. v1 has `zone` and `nodeName`, and the rest in the read-only `deprecatedTopology`.
 */
export const endpointSliceConversion = typedConversion<BetaSlice, Pick<EndpointSlice, 'endpoints'>>({
  toStorage: (slice, identifiers) => ({
    ...slice,
    endpoints: slice.endpoints?.map((endpoint) => endpointToStorage(endpoint, identifiers)) ?? null,
  }),
  fromStorage: (slice, identifiers) => ({
    ...slice,
    endpoints: slice.endpoints?.map((endpoint) => endpointFromStorage(endpoint, identifiers)) ?? null,
  }),
});

function zoneLabel({ labelDomain }: Identifiers): string {
  return `topology.${labelDomain}/zone`;
}

function hostLabel({ labelDomain }: Identifiers): string {
  return `${labelDomain}/hostname`;
}

function endpointToStorage({ topology, ...endpoint }: BetaEndpoint, identifiers: Identifiers): Endpoint {
  if (!topology) return endpoint;
  const zone = getOwn(topology, zoneLabel(identifiers));
  const host = getOwn(topology, hostLabel(identifiers));
  const { nodeName = host } = endpoint;
  // The label of the host name is dropped only if it repeats `nodeName` or becomes it.
  const dropped = new Set([zoneLabel(identifiers), ...(nodeName === host ? [hostLabel(identifiers)] : [])]);
  const labels = Object.entries(topology).filter(([name]) => !dropped.has(name));
  return {
    ...endpoint,
    ...(labels.length > 0 ? { deprecatedTopology: Object.fromEntries(labels) } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(zone ? { zone } : {}),
  };
}

function endpointFromStorage(
  { deprecatedTopology, zone, ...endpoint }: Endpoint,
  identifiers: Identifiers,
): BetaEndpoint {
  const topology = { ...deprecatedTopology };
  if (zone !== undefined) topology[zoneLabel(identifiers)] = zone;
  if (endpoint.nodeName) topology[hostLabel(identifiers)] ??= endpoint.nodeName;
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint;
}
