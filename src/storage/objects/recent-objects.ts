import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { CachedObject } from './cached-object.ts';
import type { EncodedParts } from './stored-object.ts';

/**
 * Limit of the cached objects in bytes of JSON; a tree with its encoded parts takes about four
 * times that.
 */
const limitBytes = 2 << 20;

interface Recent {
  readonly json: Buffer;
  readonly tree: JsonObject;
  /** The encoded parts; only if this server wrote the object. */
  readonly parts: EncodedParts | undefined;
}

/** The part of `RecentObjects` that writes use. */
export type RecentTrees = Pick<RecentObjects, 'treeOf' | 'partsOf' | 'remember'>;

/**
 * Decoded trees of recently changed objects. Clients often change an object several times, and
 * decoding is most of the cost of a small change. A created object is not cached, because most are
 * never changed. Trees are shared: nobody may change them.
 */
export class RecentObjects {
  /** By key. */
  readonly #recent = new LRUCache<string, Recent>({
    maxSize: limitBytes,
    maxEntrySize: limitBytes / 8,
    sizeCalculation: ({ json }) => json.length,
  });

  /** The decoded object in the storage version. The caller must not change it. */
  treeOf(object: CachedObject): JsonObject {
    const recent = this.#recent.get(object.key);
    // A store restored from a backup may have another object at the same revision.
    if (recent && (recent.json === object.json || recent.json.equals(object.json))) return recent.tree;
    const tree = object.decode();
    this.#recent.set(object.key, { json: object.json, tree, parts: undefined });
    return tree;
  }

  /**
   * The encoded parts of the last write of the object at a key. The caller must not change them.
   */
  partsOf(key: string): EncodedParts | undefined {
    return this.#recent.get(key)?.parts;
  }

  /**
   * Caches a written object. `value` is the object without the resourceVersion of the write, and
   * must not change afterwards.
   */
  remember(object: CachedObject, { value, texts }: EncodedParts): void {
    const { metadata } = value;
    const resourceVersion = String(object.revision);
    const tree = { ...value, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion } };
    this.#recent.set(object.key, { json: object.json, tree, parts: { value: tree, texts } });
  }
}
