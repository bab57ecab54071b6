import type { Service } from '../../../gen/stored/core-v1.ts';
import type { Allocation, ItemAllocations } from '../../../storage/objects/item-allocations.ts';
import { StatusError } from '../../../status/status-error.ts';
import { type HeldItems, heldItems } from './held-items.ts';

/** The allocations of one kind of item. */
interface RepairedCollection {
  readonly allocations: ItemAllocations;
  readonly what: keyof HeldItems;
  /** Returns the text that identifies a Service in the allocations. */
  readonly ownerOf: (service: Service) => string;
  /** Called in each round with the allocated items. */
  readonly counted?: (items: readonly string[]) => void;
}

/** The dependencies of a repair. */
interface RepairDependencies {
  readonly collections: readonly RepairedCollection[];
  /** Lists all current Services. */
  readonly services: (signal: AbortSignal) => Promise<readonly Service[]>;
  /**
   * True if the last list left out Services that cannot be read: nothing is released then, because
   * their items are not known.
   */
  readonly lacksServices?: () => boolean;
  /**
   * Called with an item that two Services have. Only writes to the store by other programs can
   * cause that.
   */
  readonly onShared: (item: string) => void;
  /**
   * Called if an item cannot be recorded because a policy or rule refuses its object. The next
   * repair tries again.
   */
  readonly onRefused: (item: string, error: StatusError) => void;
}

/** The most items that are recorded in parallel: a first start has one for each Service. */
const writesAtOnce = 32;

/**
 * Makes the stored allocations agree with the Services. Items of Services without an allocation
 * (after a restored backup) are allocated. An allocation without a Service is released in the
 * second round that finds it unchanged, because its Service may be about to be written. The pause
 * between rounds must therefore be longer than a write takes.
 */
export type Repair = (signal: AbortSignal) => Promise<void>;

/** Creates a repair. It remembers the allocations without a Service from one round to the next. */
export function serviceRepair(dependencies: RepairDependencies): Repair {
  const { collections, services, lacksServices = () => false } = dependencies;
  let suspects: ReadonlySet<string> = new Set();
  return async (signal) => {
    // Allocations are read first: a Service that is written later is in the list, or its allocation
    // is new.
    const recorded = await Promise.all(collections.map(({ allocations }) => allocations.list({ signal })));
    const all = await services(signal);
    const found = new Set<string>();
    for (const [index, collection] of collections.entries()) {
      const { allocations, what, counted } = collection;
      counted?.((recorded[index] ?? []).map(({ item }) => item));
      const owners = ownersOf(all, collection);
      await recordMissing(allocations, recorded[index] ?? [], owners, dependencies, signal);
      for (const allocation of (recorded[index] ?? []).filter(
        ({ item, owner, isExternal }) => !isExternal && !owners.get(item)?.includes(owner),
      )) {
        const name = `${index}/${what}/${allocation.item}/${allocation.revision}`;
        if (lacksServices()) continue;
        if (suspects.has(name)) await allocations.drop(allocation, { signal });
        else found.add(name);
      }
    }
    suspects = found;
  };
}

function ownersOf(
  services: readonly Service[],
  { what, ownerOf }: RepairedCollection,
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const service of services) {
    for (const item of heldItems(service)[what]) owners.set(item, [...(owners.get(item) ?? []), ownerOf(service)]);
  }
  return owners;
}

async function recordMissing(
  allocations: ItemAllocations,
  recorded: readonly Allocation[],
  owners: ReadonlyMap<string, readonly string[]>,
  { onShared, onRefused }: Pick<RepairDependencies, 'onShared' | 'onRefused'>,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set(recorded.map(({ item, owner }) => `${item}/${owner}`));
  const missing = [...owners].flatMap(([item, texts]) =>
    texts.filter((owner) => !known.has(`${item}/${owner}`)).map((owner) => ({ item, owner })),
  );
  await inParallel(missing, writesAtOnce, async ({ item, owner }) => {
    signal.throwIfAborted();
    try {
      if (await allocations.take(item, owner, { signal })) return;
      // Another server may have recorded the item meanwhile.
      if ((await allocations.find(item, { signal }))?.owner !== owner) onShared(item);
    } catch (error) {
      if (!(error instanceof StatusError) || !refusals.has(error.reason)) throw error;
      onRefused(item, error);
    }
  });
}

/** The reasons of refusals that will not pass without a change of rules. */
const refusals: ReadonlySet<string> = new Set(['Forbidden', 'Invalid', 'BadRequest']);

/**
 * Runs work on all items, at most `most` in parallel. After an error no further work begins.
 * Rejects with the first error after running work has ended.
 */
async function inParallel<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const runSome = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && errors.length === 0; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: most }, runSome));
  if (errors.length > 0) throw errors[0];
}
