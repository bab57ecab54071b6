import type { ResourceClaim } from '../../../controllers/resources.ts';
import { type AllocationState, DeviceSearch } from './device-search.ts';
import type { ChosenDevice } from './offered-device.ts';
import { requestOf } from './request-ways.ts';

/** The devices of each claim by its uid, or why the node has none. */
export type Allocation = ReadonlyMap<string, readonly ChosenDevice[]> | { readonly problem: string };

/**
 * Chooses devices for claims that have none. Requests are fulfilled in their order, alternatives
 * are tried in theirs, and choices that lead to nothing are undone, in earlier claims too.
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
