import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { DeviceRequestAllocationResult } from '../../../gen/types/resource-v1.ts';
import { quantityOf } from './consumed-capacity.ts';

/** The devices that are allocated to claims. */
export interface DevicesInUse {
  /** The IDs of devices that one claim has exclusively. */
  readonly exclusive: ReadonlySet<string>;
  /** The consumed amounts of shared devices in billionths, by ID and capacity. */
  readonly shared: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
}

/** The part of an allocation result that identifies the device and its amounts. */
type TakenDevice = Pick<
  DeviceRequestAllocationResult,
  'driver' | 'pool' | 'device' | 'adminAccess' | 'shareID' | 'consumedCapacity'
>;

/** Collects the devices of allocated claims, and of choices that are not yet visible. */
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

/** True if a claim has the device or a share of it. */
export function isInUse(id: string, { exclusive, shared }: DevicesInUse): boolean {
  return exclusive.has(id) || shared.has(id);
}
