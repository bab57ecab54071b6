import { byPorts, type ServiceBackend } from '../endpoints/service-backends.ts';
import type { EndpointSlice, SliceEndpoint } from '../resources.ts';
import type { EndpointPosition } from './endpoint-position.ts';
import { type EndpointGroup, fillSlices, type SlicePlan } from './fill-slices.ts';

/** Endpoints of one slice. */
const sliceLimit = 100;

/**
 * Plans the slices for the backends of a Service at the addresses of one family. A Service without
 * endpoints has one empty slice. `positionOf` returns the fields of an endpoint on a node.
 */
export function planSlices(
  present: readonly EndpointSlice[],
  backends: readonly ServiceBackend[],
  addressType: string,
  positionOf: (nodeName: string) => EndpointPosition,
): SlicePlan {
  const groups = new Map([...byPorts(backends)].map(([key, group]) => [key, groupOf(group, positionOf)]));
  if (groups.size === 0) return planEmpty(present, addressType);
  return fillSlices(present, groups, {
    addressType,
    limit: sliceLimit,
    keyOf: ({ targetRef }) => targetRef?.uid ?? '',
  });
}

function planEmpty(present: readonly EndpointSlice[], addressType: string): SlicePlan {
  const empty = { addressType, endpoints: [], ports: [] };
  const [first, ...deletions] = present;
  if (!first) return { creations: [empty], updates: [], deletions };
  const isEmpty = !first.endpoints?.length && !first.ports?.length;
  return { creations: [], updates: isEmpty ? [] : [{ ...first, ...empty }], deletions };
}

function groupOf(
  backends: readonly ServiceBackend[],
  positionOf: (nodeName: string) => EndpointPosition,
): EndpointGroup {
  const endpoints = backends.map((backend) => endpointOf(backend, positionOf));
  return { ports: backends[0]?.ports ?? [], endpoints };
}

function endpointOf(
  { ip, ready, serving, terminating, hostname, nodeName, target }: ServiceBackend,
  positionOf: (nodeName: string) => EndpointPosition,
): SliceEndpoint {
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? positionOf(nodeName) : {}),
    targetRef: target,
  };
}
