import type { JsonObject } from '../../../meta/json-value.ts';
import { uidOf } from '../../../meta/object-meta.ts';
import type { Allocation, ItemAllocations } from '../../../storage/objects/item-allocations.ts';
import { type HeldItems, heldItems } from './held-items.ts';

/** What a repair looks at. */
interface RepairDependencies {
  readonly addresses: ItemAllocations;
  readonly ports: ItemAllocations;
  /** Every Service as it is now. */
  readonly services: (signal: AbortSignal) => Promise<readonly JsonObject[]>;
  /** Told of an item that two Services have, which only hands other than ours can have done. */
  readonly onShared: (item: string) => void;
}

/**
 * Brings the record of who has which address in line with the Services; answers what a later round needs. What Services have
 * without a record (a restored backup) is recorded. A record without a Service is dropped in the second round that finds it
 * unchanged: it may belong to a Service that is about to be written, so rounds lie further apart than a write can take.
 */
export type Repair = (signal: AbortSignal) => Promise<void>;

/** Makes a repair that remembers, from round to round, what it suspects. */
export function serviceRepair({ addresses, ports, services, onShared }: RepairDependencies): Repair {
  const collections: readonly (readonly [ItemAllocations, keyof HeldItems])[] = [
    [addresses, 'addresses'],
    [ports, 'ports'],
  ];
  let suspects: ReadonlySet<string> = new Set();
  return async (signal) => {
    // Claims first: a Service that is written later is in the list of Services, or its claim is new.
    const claimed = await Promise.all(collections.map(([claims]) => claims.list({ signal })));
    const all = await services(signal);
    const found = new Set<string>();
    for (const [index, [claims, what]] of collections.entries()) {
      const owners = ownersOf(all, what);
      await recordMissing(claims, claimed[index] ?? [], owners, onShared, signal);
      for (const claim of (claimed[index] ?? []).filter(({ item, owner }) => !owners.get(item)?.includes(owner))) {
        const name = `${what}/${claim.item}/${claim.revision}`;
        if (suspects.has(name)) await claims.drop(claim, { signal });
        else found.add(name);
      }
    }
    suspects = found;
  };
}

function ownersOf(services: readonly JsonObject[], what: keyof HeldItems): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const service of services) {
    for (const item of heldItems(service)[what]) owners.set(item, [...(owners.get(item) ?? []), uidOf(service)]);
  }
  return owners;
}

async function recordMissing(
  claims: ItemAllocations,
  claimed: readonly Allocation[],
  owners: ReadonlyMap<string, readonly string[]>,
  onShared: (item: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const recorded = new Set(claimed.map(({ item, owner }) => `${item}/${owner}`));
  for (const [item, uids] of owners) {
    for (const uid of uids.filter((one) => !recorded.has(`${item}/${one}`))) {
      if (!(await claims.take(item, uid, { signal }))) onShared(item);
    }
  }
}
