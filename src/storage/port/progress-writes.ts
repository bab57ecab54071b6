import { internalKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import { uniqueValue } from './unique-value.ts';

/**
 * Writes a key under the prefix that only advances the store's revision, so that a watch over the
 * prefix shows its progress. Each call resolves to a revision of that key that is newer than all
 * revisions before the call. All servers write the same key.
 */
export function progressWrites(store: ObjectStore, prefix: string): () => Promise<number> {
  const key = internalKey(prefix, 'progress');
  let known = 0;
  const write = async (): Promise<boolean> => {
    if (known === 0) return create();
    const swap = await store.update(key, uniqueValue(), known);
    known = swap.swapped ? swap.revision : (swap.current?.revision ?? 0);
    return swap.swapped;
  };
  const create = async (): Promise<boolean> => {
    try {
      ({ revision: known } = await store.create(key, uniqueValue()));
      return true;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
      known = (await store.get(key)).current?.revision ?? 0;
      return false;
    }
  };
  return async () => {
    // A second lost swap is enough: it was lost to a write that was made after this call began.
    if (!(await write())) await write();
    return known;
  };
}
