import { nextTurn } from '../async/next-turn.ts';
import { turns } from './portions.ts';
import type { ObjectStore, StoredValue } from './object-store.ts';
import { splitObjectKey } from './object-key.ts';
import { keyRange, type ObjectTree } from './object-tree.ts';
import { StorageError } from './storage-error.ts';
import { decodeStoredObject } from './stored-object.ts';

/** What a digest was made of; equal for equal states. */
interface Digest {
  readonly objects: number;
  /** 64 bits, in hexadecimal. */
  readonly hash: string;
}

/** One state of one resource, as the cache has it, and where the store has the same. */
interface DigestedState {
  readonly store: ObjectStore;
  /** What the keys of the resource begin with. */
  readonly prefix: string;
  readonly revision: number;
  /** The cache's objects at `revision`. */
  readonly tree: ObjectTree;
}

/** The digests of one state on both sides. */
interface DigestPair {
  readonly cache: Digest;
  readonly store: Digest;
}

/**
 * Digests a state as the cache has it and as the store has it at the same revision. Reads the store in pages and lets others
 * run in between. Throws what the store throws: Compacted where the revision is gone by now.
 */
export async function digestBoth(state: DigestedState, signal: AbortSignal): Promise<DigestPair> {
  const cached = new DigestBuilder();
  for await (const objects of turns(state.tree, keyRange(state.prefix), signal)) {
    for (const { key, revision } of objects) cached.add(key, revision);
  }
  const stored = new DigestBuilder();
  for await (const page of state.store.list(state.prefix, { revision: state.revision, signal })) {
    for (const value of page.values) if (isReadable(state.prefix, value)) stored.add(value.key, value.revision);
    await nextTurn();
  }
  return { cache: cached.digest(), store: stored.digest() };
}

/** Whether the cache can hold a stored value; those that it cannot read count on neither side. */
function isReadable(prefix: string, { key, value }: StoredValue): boolean {
  try {
    decodeStoredObject(key, value);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Corrupt') return false;
    throw error;
  }
  return splitObjectKey(prefix, key) !== undefined;
}

/** Whether two digests are of one state. */
export function isSameDigest(a: Digest, b: Digest): boolean {
  return a.objects === b.objects && a.hash === b.hash;
}

const prime = 0x01000193;

/** FNV-1a over keys and revisions in the order of keys, in two lanes that begin differently. */
export class DigestBuilder {
  #objects = 0;
  #low = 0x811c9dc5;
  #high = 0x9747b28c;

  add(key: string, revision: number): void {
    this.#objects++;
    for (let i = 0; i < key.length; i++) this.#mix(key.charCodeAt(i));
    // A revision has up to 53 bits.
    this.#mix(revision >>> 0);
    this.#mix(Math.floor(revision / 2 ** 32));
  }

  digest(): Digest {
    return { objects: this.#objects, hash: hex(this.#high) + hex(this.#low) };
  }

  #mix(unit: number): void {
    this.#low = Math.imul(this.#low ^ unit, prime);
    // Turned, for without it the lanes would collide together.
    this.#high = Math.imul(((this.#high << 5) | (this.#high >>> 27)) ^ unit, prime);
  }
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
