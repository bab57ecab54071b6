import { internalKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { StorageError } from './storage-error.ts';

interface StoreIdentity {
  readonly store: ObjectStore;
  readonly prefix: string;
  /** The name of the server's identifier set (`--identifiers`). */
  readonly identifiers: string;
  readonly signal?: AbortSignal;
}

/**
 * Records the identifier set in the store, or checks the recorded one. Throws Conflict if the sets
 * differ: the stored objects have names that this server would not understand, so it must not
 * start.
 */
export async function checkStoreIdentity({ store, prefix, identifiers, signal }: StoreIdentity): Promise<void> {
  const key = internalKey(prefix, 'identifiers');
  const call = signal ? { signal } : {};
  const found = (await store.get(key, call)).current ?? (await create());
  if (!found) return;
  const written = Buffer.from(found.value).toString('utf8');
  if (written === identifiers) return;
  throw new StorageError(
    'Conflict',
    `the store under ${JSON.stringify(prefix)} was written with --identifiers=${written}, this server was started with ` +
      `--identifiers=${identifiers}: start it with the same identifiers or give it another --etcd-prefix`,
    { key },
  );

  /** Returns the value of another server if it was first. */
  async function create() {
    try {
      await store.create(key, Buffer.from(identifiers, 'utf8'), call);
      return undefined;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
      return (await store.get(key, call)).current;
    }
  }
}
