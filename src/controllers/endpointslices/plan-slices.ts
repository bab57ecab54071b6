import type { JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { EndpointSlice, SliceEndpoint } from '../kinds/endpoint-slice.ts';
import type { EndpointPort } from '../kinds/service.ts';
import { byPorts, portsKey, type ServiceBackend } from '../endpoints/service-backends.ts';

/** A slice that is to be created. */
interface NewSlice {
  readonly addressType: string;
  readonly endpoints: SliceEndpoint[];
  readonly ports: EndpointPort[];
}

/** The changes of the slices of one Service and address family. */
interface SlicePlan {
  readonly creations: readonly NewSlice[];
  readonly updates: readonly EndpointSlice[];
  readonly deletions: readonly EndpointSlice[];
}

/** Endpoints of one slice. */
const sliceLimit = 100;

/**
 * Plans the slices for the backends of a Service. Endpoints stay in their slices, so that few
 * slices change; a Service without endpoints has one empty slice.
 */
export function planSlices(
  present: readonly EndpointSlice[],
  backends: readonly ServiceBackend[],
  addressType: string,
): SlicePlan {
  const groups = new Map(byPorts(backends));
  if (groups.size === 0) return planEmpty(present, addressType);
  const creations: NewSlice[] = [];
  const updates: EndpointSlice[] = [];
  const deletions: EndpointSlice[] = present.filter(({ ports }) => !groups.has(portsKey(ports)));
  for (const [key, group] of groups) {
    const slices = present.filter(({ ports }) => portsKey(ports) === key);
    const waiting = new Map(group.map((backend) => [backend.target.uid, endpointOf(backend)]));
    const kept = slices.map((slice) => ({ slice, endpoints: keptIn(slice, waiting) }));
    const rest = [...waiting.values()];
    for (const { slice, endpoints } of kept) {
      if (endpoints.length > 0 || rest.length > 0) endpoints.push(...rest.splice(0, sliceLimit - endpoints.length));
      if (endpoints.length === 0) deletions.push(slice);
      else if (!sameEndpoints(slice.endpoints, endpoints)) updates.push({ ...slice, endpoints });
    }
    const ports = [...(group[0]?.ports ?? [])];
    while (rest.length > 0) creations.push({ addressType, endpoints: rest.splice(0, sliceLimit), ports });
  }
  return { creations, updates, deletions };
}

function planEmpty(present: readonly EndpointSlice[], addressType: string): SlicePlan {
  const [first, ...deletions] = present;
  if (!first) return { creations: [{ addressType, endpoints: [], ports: [] }], updates: [], deletions };
  return { creations: [], updates: first.endpoints?.length ? [{ ...first, endpoints: [] }] : [], deletions };
}

/** The endpoints of a slice that are still wanted, in their present state. Takes them. */
function keptIn({ endpoints }: EndpointSlice, waiting: Map<string, SliceEndpoint>): SliceEndpoint[] {
  return (endpoints ?? []).flatMap(({ targetRef }) => {
    const found = waiting.get(targetRef?.uid ?? '');
    waiting.delete(targetRef?.uid ?? '');
    return found ?? [];
  });
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

function sameEndpoints(before: readonly SliceEndpoint[], after: readonly SliceEndpoint[]): boolean {
  // Parts of objects are JSON.
  return sameValue(before as unknown as JsonValue, after as unknown as JsonValue);
}
