import { type InternalCollection, internalItemKey } from './object-key.ts';
import type { CallOptions, ObjectStore, StoredValue } from './object-store.ts';
import { StorageError } from './storage-error.ts';

/** Somebody's hold on an item; `revision` is that of the write that made it, and no other write can have the same. */
export interface Claim {
  readonly item: string;
  readonly owner: string;
  readonly revision: number;
}

/**
 * Who holds which item of a collection (addresses, ports), as one key an item in the store: of any number of servers that
 * try to take an item, the store lets one create its key. A claim is dropped at the revision at which it was made, so that
 * nobody drops a claim that was made since.
 */
export interface ItemClaims {
  /** Takes an item. An owner who has it already takes it anew; undefined where another has it. */
  take(item: string, owner: string, call?: CallOptions): Promise<Claim | undefined>;
  /** The claim on an item, undefined where it is free. */
  find(item: string, call?: CallOptions): Promise<Claim | undefined>;
  /** Gives an item back, unless it was taken anew since. */
  drop(claim: Claim, call?: CallOptions): Promise<void>;
  /** All claims at one revision. */
  list(call?: CallOptions): Promise<readonly Claim[]>;
}

/** The claims of a collection. */
export function itemClaims(store: ObjectStore, prefix: string, collection: InternalCollection): ItemClaims {
  const collectionPrefix = internalItemKey(prefix, collection);
  const keyOf = (item: string): string => internalItemKey(prefix, collection, item);
  const read = ({ key, value, revision }: StoredValue): Claim => ({
    item: key.slice(collectionPrefix.length),
    owner: Buffer.from(value).toString('utf8'),
    revision,
  });
  const find: ItemClaims['find'] = async (item, call = {}) => {
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
      const claims: Claim[] = [];
      for await (const page of store.list(collectionPrefix, call)) claims.push(...page.values.map(read));
      return claims;
    },
  };
}
