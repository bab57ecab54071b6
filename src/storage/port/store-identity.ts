import { internalKey, storePrefix } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { StorageError } from './storage-error.ts';

/** The keys and values of a store: this server's own, or those of kube-apiserver. */
export type StoreLayout = 'own' | 'upstream';

interface StoreIdentity {
  readonly store: ObjectStore;
  readonly prefix: string;
  /** The name of the server's identifier set (`--identifiers`). */
  readonly identifiers: string;
  readonly layout?: StoreLayout;
  readonly signal?: AbortSignal;
}

/** Follows the identifiers in the record of a store with the keys of kube-apiserver. */
const upstreamMark = ' --storage-media-type';

/**
 * Records the identifier set and the layout in the store, or checks the recorded ones. Throws
 * Conflict if they differ: the stored objects have names, keys or forms that this server would not
 * understand, so it must not start.
 */
export async function checkStoreIdentity(identity: StoreIdentity): Promise<void> {
  const { store, prefix, identifiers, layout = 'own', signal } = identity;
  const key = internalKey(prefix, 'identifiers');
  const call = signal ? { signal } : {};
  const own = `${identifiers}${layout === 'upstream' ? upstreamMark : ''}`;
  const found = (await store.get(key, call)).current ?? (await create());
  if (!found) return;
  const written = Buffer.from(found.value).toString('utf8');
  if (written !== own) throw new StorageError('Conflict', conflict(prefix, written, own), { key });

  /** Returns the value of another server if it was first. */
  async function create() {
    if (layout === 'own') await refuseUpstream(identity);
    try {
      await store.create(key, Buffer.from(own, 'utf8'), call);
      return undefined;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
      return (await store.get(key, call)).current;
    }
  }
}

function conflict(prefix: string, written: string, own: string): string {
  return (
    `the store under ${JSON.stringify(prefix)} was written with ${flagsIn(written)}, this server was started with ` +
    `${flagsIn(own)}: start it with the same flags or give it another --etcd-prefix`
  );
}

/** The flags that a record of a store stands for. */
function flagsIn(record: string): string {
  const isUpstream = record.endsWith(upstreamMark);
  return `--identifiers=${isUpstream ? `${record.slice(0, -upstreamMark.length)} and${upstreamMark}` : record}`;
}

/** A store of kube-apiserver looks nearly empty to a server that does not know its keys. */
async function refuseUpstream({ store, prefix, signal }: StoreIdentity): Promise<void> {
  const begin = storePrefix(prefix);
  for (const path of upstreamPaths) {
    for await (const { values } of store.list(`${begin}${path}`, { limit: 1, ...(signal ? { signal } : {}) })) {
      if (values.length === 0) continue;
      throw new StorageError(
        'Conflict',
        `the store under ${JSON.stringify(prefix)} has the keys of the upstream server: start this server with ` +
          '--storage-media-type, or give it another --etcd-prefix',
        { key: begin + path },
      );
    }
  }
}

/** Keys that each kube-apiserver writes at its start, and that this server writes nowhere. */
const upstreamPaths: readonly string[] = ['ranges/', 'masterleases/'];
