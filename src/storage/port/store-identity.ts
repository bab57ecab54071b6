import { internalKey, storePrefix } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { StorageError } from './storage-error.ts';

/** The layout of a store's keys and values: this server's own, or kube-apiserver's. */
export type StoreLayout = 'own' | 'upstream';

interface StoreIdentity {
  readonly store: ObjectStore;
  readonly prefix: string;
  /** The name of the server's identifier set (`--identifiers`). */
  readonly identifiers: string;
  readonly layout?: StoreLayout;
  readonly signal?: AbortSignal;
}

/** The suffix of the recorded identifiers in a store with kube-apiserver's layout. */
const upstreamMark = ' --storage-media-type';

/**
 * Records the identifier set and the layout in the store, or checks the recorded ones. Throws
 * Conflict if they differ: this server would not understand the stored names, keys or values, and
 * must not start.
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

/** The flags that a record stands for. */
function flagsIn(record: string): string {
  const isUpstream = record.endsWith(upstreamMark);
  return `--identifiers=${isUpstream ? `${record.slice(0, -upstreamMark.length)} and${upstreamMark}` : record}`;
}

/** Throws if the store has kube-apiserver's keys: it would look nearly empty to this server. */
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

/** The keys that each kube-apiserver writes at its start, and this server never writes. */
const upstreamPaths: readonly string[] = ['ranges/', 'masterleases/'];
