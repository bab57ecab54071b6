import type { JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { portsKey } from '../endpoints/service-backends.ts';
import type { EndpointSlice, SliceEndpoint } from '../resources.ts';
import type { EndpointPort } from '../../gen/types/discovery-v1.ts';

/** A slice that is to be created. */
export interface NewSlice {
  readonly addressType: string;
  readonly endpoints: SliceEndpoint[];
  readonly ports: EndpointPort[];
}

/** The changes of slices. */
export interface SlicePlan {
  readonly creations: readonly NewSlice[];
  readonly updates: readonly EndpointSlice[];
  readonly deletions: readonly EndpointSlice[];
}

/** Endpoints with the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly SliceEndpoint[];
}

/** The rules of the slices of one controller. */
interface SliceRules {
  readonly addressType: string;
  /** The most endpoints of one slice. */
  readonly limit: number;
  /** Tells endpoints apart. */
  readonly keyOf: (endpoint: SliceEndpoint) => string;
}

/**
 * Plans the slices of groups of endpoints, by `portsKey`. Endpoints stay in their slices, so that
 * few slices change.
 */
export function fillSlices(
  present: readonly EndpointSlice[],
  groups: ReadonlyMap<string, EndpointGroup>,
  { addressType, limit, keyOf }: SliceRules,
): SlicePlan {
  const creations: NewSlice[] = [];
  const updates: EndpointSlice[] = [];
  const byPorts = slicesByPorts(present);
  const deletions = [...byPorts].filter(([key]) => !groups.has(key)).flatMap(([, slices]) => slices);
  for (const [key, group] of groups) {
    const slices = byPorts.get(key) ?? [];
    const waiting = new Map(group.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
    const kept = slices.map((slice) => ({ slice, endpoints: takeKept(slice, waiting, keyOf) }));
    const rest = [...waiting.values()];
    for (const { slice, endpoints } of kept) {
      if (endpoints.length > 0) endpoints.push(...rest.splice(0, limit - endpoints.length));
      if (endpoints.length === 0) deletions.push(slice);
      else if (!sameEndpoints(slice.endpoints, endpoints)) updates.push({ ...slice, endpoints });
    }
    while (rest.length > 0) creations.push({ addressType, endpoints: rest.splice(0, limit), ports: [...group.ports] });
  }
  return reuseSlices({ creations, updates, deletions });
}

function slicesByPorts(slices: readonly EndpointSlice[]): ReadonlyMap<string, readonly EndpointSlice[]> {
  const found = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const key = portsKey(slice.ports);
    const alike = found.get(key) ?? [];
    found.set(key, alike);
    alike.push(slice);
  }
  return found;
}

/** New slices take the place of those that would be deleted, so that fewer objects change. */
function reuseSlices({ creations, updates, deletions }: SlicePlan): SlicePlan {
  const count = Math.min(creations.length, deletions.length);
  const reused = deletions.slice(0, count).map((slice, index) => {
    const { annotations: _, ...metadata } = slice.metadata;
    return { ...slice, ...creations[index], metadata };
  });
  return {
    creations: creations.slice(count),
    updates: [...updates, ...reused],
    deletions: deletions.slice(count),
  };
}

/** The endpoints of a slice that are still wanted, in their present state. Takes them. */
function takeKept(
  { endpoints }: EndpointSlice,
  waiting: Map<string, SliceEndpoint>,
  keyOf: SliceRules['keyOf'],
): SliceEndpoint[] {
  return (endpoints ?? []).flatMap((endpoint) => {
    const key = keyOf(endpoint);
    const found = waiting.get(key);
    waiting.delete(key);
    return found ?? [];
  });
}

function sameEndpoints(before: readonly SliceEndpoint[], after: readonly SliceEndpoint[]): boolean {
  // Parts of objects are JSON.
  return sameValue(before as unknown as JsonValue, after as unknown as JsonValue);
}
