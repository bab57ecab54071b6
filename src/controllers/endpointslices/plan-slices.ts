import { byPorts, type ServiceBackend } from '../endpoints/service-backends.ts';
import type { EndpointSlice, SliceEndpoint } from '../kinds/endpoint-slice.ts';
import { type EndpointGroup, fillSlices, type SlicePlan } from './fill-slices.ts';

/** Endpoints of one slice. */
const sliceLimit = 100;

/**
 * Plans the slices for the backends of a Service at the addresses of one family. A Service without
 * endpoints has one empty slice.
 */
export function planSlices(
  present: readonly EndpointSlice[],
  backends: readonly ServiceBackend[],
  addressType: string,
): SlicePlan {
  const groups = new Map([...byPorts(backends)].map(([key, group]) => [key, groupOf(group)]));
  if (groups.size === 0) return planEmpty(present, addressType);
  return fillSlices(present, groups, {
    addressType,
    limit: sliceLimit,
    keyOf: ({ targetRef }) => targetRef?.uid ?? '',
  });
}

function planEmpty(present: readonly EndpointSlice[], addressType: string): SlicePlan {
  const [first, ...deletions] = present;
  if (!first) return { creations: [{ addressType, endpoints: [], ports: [] }], updates: [], deletions };
  return { creations: [], updates: first.endpoints?.length ? [{ ...first, endpoints: [] }] : [], deletions };
}

function groupOf(backends: readonly ServiceBackend[]): EndpointGroup {
  return { ports: backends[0]?.ports ?? [], endpoints: backends.map(endpointOf) };
}

function endpointOf({ ip, ready, serving, terminating, hostname, nodeName, target }: ServiceBackend): SliceEndpoint {
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    targetRef: target,
  };
}
