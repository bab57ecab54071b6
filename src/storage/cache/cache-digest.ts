import { createHash } from 'node:crypto';
import { nextTurn } from '../../async/yield-if-long.ts';
import { scanRange } from '../objects/yielding-scan.ts';
import type { ObjectStore, StoredValue } from '../port/object-store.ts';
import { splitObjectKey } from '../port/object-key.ts';
import { keyRange, type ObjectTree } from '../objects/object-tree.ts';
import { StorageError } from '../port/storage-error.ts';
import { decodeStoredObject } from '../objects/stored-object.ts';

/** The digest of one state of a resource; equal for equal keys and revisions. */
interface Digest {
  readonly objects: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** One state of one resource in the cache, and the store to compare it with. */
interface DigestedState {
  readonly store: ObjectStore;
  /** The prefix of the resource's keys. */
  readonly prefix: string;
  readonly revision: number;
  /** The cache's objects at `revision`. */
  readonly tree: ObjectTree;
}

/** The digests of one state, of the cache and of the store. */
interface DigestPair {
  readonly cache: Digest;
  readonly store: Digest;
}

/**
 * Digests the cached state and the store's state at the same revision. Reads the store in pages and
 * yields to the event loop between them. Throws the store's errors: Compacted if the revision is
 * compacted.
 */
export async function digestBoth(state: DigestedState, signal: AbortSignal): Promise<DigestPair> {
  const cached = new DigestBuilder();
  for await (const objects of scanRange(state.tree, keyRange(state.prefix), signal)) {
    for (const { key, revision } of objects) cached.add(key, revision);
  }
  const stored = new DigestBuilder();
  for await (const page of state.store.list(state.prefix, { revision: state.revision, signal })) {
    for (const value of page.values) if (isReadable(state.prefix, value)) stored.add(value.key, value.revision);
    await nextTurn();
  }
  return { cache: cached.digest(), store: stored.digest() };
}

/**
 * True if the cache can hold a stored value. Values that it cannot read are left out on both sides.
 */
function isReadable(prefix: string, stored: StoredValue): boolean {
  const { key, computed } = stored;
  try {
    if (!computed) decodeStoredObject(key, stored.value);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Corrupt') return false;
    throw error;
  }
  return splitObjectKey(prefix, key) !== undefined;
}

/** True if two digests are of the same state. */
export function isSameDigest(a: Digest, b: Digest): boolean {
  return a.objects === b.objects && a.hash === b.hash;
}

/** A digest of keys and revisions that are added in key order. */
class DigestBuilder {
  #objects = 0;
  readonly #hash = createHash('sha256');

  add(key: string, revision: number): void {
    this.#objects++;
    this.#hash.update(`${key}\0${revision}\n`);
  }

  digest(): Digest {
    return { objects: this.#objects, hash: this.#hash.digest('hex') };
  }
}
