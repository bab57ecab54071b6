import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { DeviceRequestAllocationResult } from '../../../gen/types/resource-v1.ts';
import { quantityOf } from './consumed-capacity.ts';

/** The devices that claims have. */
export interface DevicesInUse {
  /** The ids of devices that one claim has for itself. */
  readonly exclusive: ReadonlySet<string>;
  /** The amounts, in billionths, that claims have of shared devices, by id and capacity. */
  readonly shared: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
}

/** The part of the result of an allocation that names the device and its amounts. */
type TakenDevice = Pick<
  DeviceRequestAllocationResult,
  'driver' | 'pool' | 'device' | 'adminAccess' | 'shareID' | 'consumedCapacity'
>;

/** Adds up the devices of allocated claims, and those that were chosen and are not shown yet. */
export function devicesInUse(claims: readonly ResourceClaim[], assumed: readonly TakenDevice[]): DevicesInUse {
  const exclusive = new Set<string>();
  const shared = new Map<string, Map<string, bigint>>();
  const taken = claims.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
  for (const { driver, pool, device, adminAccess, shareID, consumedCapacity = {} } of [...taken, ...assumed]) {
    const id = `${driver}/${pool}/${device}`;
    if (adminAccess) continue;
    if (shareID === undefined) {
      exclusive.add(id);
      continue;
    }
    const amounts = shared.get(id) ?? new Map<string, bigint>();
    shared.set(id, amounts);
    for (const [name, text] of Object.entries(consumedCapacity)) {
      amounts.set(name, (amounts.get(name) ?? 0n) + (quantityOf(text)?.nanos ?? 0n));
    }
  }
  return { exclusive, shared };
}

/** True if a claim has the device, or a share of it. */
export function isInUse(id: string, { exclusive, shared }: DevicesInUse): boolean {
  return exclusive.has(id) || shared.has(id);
}
