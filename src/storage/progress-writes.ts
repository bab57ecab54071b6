import { internalKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { StorageError } from './storage-error.ts';

const value = Buffer.from('{}');

/**
 * Writes that change nothing but the store's revision, for a watch over the prefix to show how far it has come. The answer of each is a
 * revision under the prefix that is newer than all that there was when it was asked for; all servers write the one key.
 */
export function progressWrites(store: ObjectStore, prefix: string): () => Promise<number> {
  const key = internalKey(prefix, 'progress');
  let known = 0;
  const write = async (): Promise<boolean> => {
    if (known === 0) return create();
    const swap = await store.update(key, value, known);
    known = swap.swapped ? swap.revision : (swap.current?.revision ?? 0);
    return swap.swapped;
  };
  const create = async (): Promise<boolean> => {
    try {
      ({ revision: known } = await store.create(key, value));
      return true;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
      known = (await store.get(key)).current?.revision ?? 0;
      return false;
    }
  };
  return async () => {
    // Who loses the second time has lost to a write that is new enough itself.
    if (!(await write())) await write();
    return known;
  };
}
