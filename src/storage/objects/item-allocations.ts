import { type InternalCollection, internalItemKey } from '../port/object-key.ts';
import type { CallOptions, ObjectStore, StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';

/**
 * An allocated item with its owner. `revision` is the revision of the write that made it; no other
 * write has the same.
 */
export interface Allocation {
  readonly item: string;
  readonly owner: string;
  readonly revision: number;
  /** True if another program made the allocation: the repair does not change it. */
  readonly isExternal?: boolean;
}

/**
 * The owners of the items of a collection (addresses, ports), one key per item in the store. If
 * several servers try to take an item, the store lets only one create its key. An allocation is
 * released only at its own revision, so that a later one of the same item is kept.
 */
export interface ItemAllocations {
  /**
   * Takes an item. An owner who already has it gets a new allocation; undefined if another owner
   * has it.
   */
  take(item: string, owner: string, call?: CallOptions): Promise<Allocation | undefined>;
  /** Returns the allocation of an item; undefined if it is free. */
  find(item: string, call?: CallOptions): Promise<Allocation | undefined>;
  /** Releases an item, unless it was taken again since. */
  drop(allocation: Allocation, call?: CallOptions): Promise<void>;
  /** Returns all allocations at one revision. */
  list(call?: CallOptions): Promise<readonly Allocation[]>;
}

/** The allocations of one collection. */
export function itemAllocations(store: ObjectStore, prefix: string, collection: InternalCollection): ItemAllocations {
  const collectionPrefix = internalItemKey(prefix, collection);
  const keyOf = (item: string): string => internalItemKey(prefix, collection, item);
  const read = ({ key, value, revision }: StoredValue): Allocation => ({
    item: key.slice(collectionPrefix.length),
    owner: Buffer.from(value).toString('utf8'),
    revision,
  });
  const find: ItemAllocations['find'] = async (item, call = {}) => {
    const { current } = await store.get(keyOf(item), call);
    return current && read(current);
  };
  return {
    find,
    async take(item, owner, call = {}) {
      const value = Buffer.from(owner, 'utf8');
      try {
        return { item, owner, revision: (await store.create(keyOf(item), value, call)).revision };
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
      }
      const held = await find(item, call);
      if (held?.owner !== owner) return undefined;
      const result = await store.update(keyOf(item), value, held.revision, call);
      return result.swapped ? { item, owner, revision: result.revision } : undefined;
    },
    async drop({ item, revision }, call = {}) {
      await store.delete(keyOf(item), revision, call);
    },
    async list(call = {}) {
      const allocations: Allocation[] = [];
      for await (const page of store.list(collectionPrefix, call)) allocations.push(...page.values.map(read));
      return allocations;
    },
  };
}
