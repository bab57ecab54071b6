import type { ResourceClaim } from '../../../controllers/resources.ts';
import { type AllocationState, DeviceSearch } from './device-search.ts';
import type { ChosenDevice } from './offered-device.ts';
import { requestOf } from './request-ways.ts';

/** The allocated devices of each claim by UID, or the problem of the node. */
export type Allocation = ReadonlyMap<string, readonly ChosenDevice[]> | { readonly problem: string };

/**
 * Allocates devices to claims without an allocation. Requests are processed in order, alternatives
 * in order of preference. Choices that fail later are undone, in earlier claims too.
 */
export function allocate(claims: readonly ResourceClaim[], state: AllocationState): Allocation {
  if (claims.length === 0) return new Map();
  const updating = state.pools.find((pool) => pool.state !== 'usable');
  if (updating && claims.some(asksForAll)) {
    const what = updating.state === 'updating' ? 'being updated' : 'invalid';
    return { problem: `asks for all devices, but resource pool ${updating.name} is currently ${what}` };
  }
  const search = new DeviceSearch(claims, state);
  const found = search.run();
  if (found) return found;
  const isInvalid = state.pools.some((pool) => pool.state === 'invalid');
  return { problem: isInvalid ? 'invalid resource pools were encountered' : search.problem };
}

function asksForAll({ spec }: ResourceClaim): boolean {
  const requests = (spec.devices?.requests ?? []).map(requestOf);
  return requests.some(({ ways }) => ways.some(({ needs }) => needs.allocationMode === 'All'));
}
