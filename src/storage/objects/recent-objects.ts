import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../meta/json-value.ts';
import { withResourceVersion } from '../../meta/object-meta.ts';
import type { CachedObject } from './cached-object.ts';
import type { EncodedParts } from './stored-object.ts';

/**
 * Limit of the cached objects in bytes of JSON; a tree with its encoded parts takes about four
 * times that.
 */
const limitBytes = 2 << 20;

/** The trees of larger objects are not kept. */
const largestBytes = limitBytes / 8;

/**
 * Limit of the objects that were created and not changed since. Most never are, so their trees are
 * kept only for requests that follow the create at once: long-lived garbage is the dearest.
 */
const createdLimitBytes = 128 << 10;

/** How often the trees of replaced objects are dropped: their events have been sent by then. */
const sweepMs = 60_000;

interface Recent {
  readonly object: CachedObject;
  /** The encoded parts; only if this server wrote the object. */
  readonly parts: EncodedParts | undefined;
}

/** The part of `RecentObjects` that writes use. */
export type RecentTrees = Pick<RecentObjects, 'treeOf' | 'partsOf' | 'remember'>;

/**
 * Keeps the decoded trees of recently read and written objects, as their `value`. A write is
 * followed by its response in other formats, by its event, whose selectors read the object, and
 * often by the next write: none of them decodes it again. Trees are shared: nobody may change them.
 */
export class RecentObjects {
  readonly #changed = recentObjects(limitBytes);
  readonly #created = recentObjects(createdLimitBytes);
  #sweeper: NodeJS.Timeout | undefined;

  /** The decoded object in the storage version. The caller must not change it. */
  treeOf(object: CachedObject): JsonObject {
    const { value } = object;
    if (value) return value;
    const same = this.#of(object.key)?.object;
    // A store restored from a backup may have another object at the same revision.
    if (same?.value && same.revision === object.revision && same.json.equals(object.json)) return same.value;
    const tree = object.decode();
    this.#keep(this.#changed, { object, parts: undefined }, tree);
    return tree;
  }

  /**
   * The encoded parts of the last write of the object at a key. The caller must not change them.
   */
  partsOf(key: string): EncodedParts | undefined {
    return this.#of(key)?.parts;
  }

  /**
   * Caches a written object. `value` is the object without the resourceVersion of the write, and
   * must not change afterwards. `isNew`: the write created it.
   */
  remember(object: CachedObject, { value, texts }: EncodedParts, isNew = false): void {
    const tree = withResourceVersion(value, String(object.revision));
    this.#keep(isNew ? this.#created : this.#changed, { object, parts: { value: tree, texts } }, tree);
  }

  #of(key: string): Recent | undefined {
    return this.#changed.get(key) ?? this.#created.get(key);
  }

  #keep(objects: LRUCache<string, Recent>, recent: Recent, tree: JsonObject): void {
    const { object } = recent;
    this.#changed.delete(object.key);
    this.#created.delete(object.key);
    if (object.size > largestBytes) return;
    objects.set(object.key, recent);
    object.keepValue(tree);
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  /**
   * Drops the trees of objects that were deleted, or changed by other servers. Not when they are
   * replaced: their last events have still to be encoded.
   */
  #sweep(): void {
    for (const objects of [this.#changed, this.#created]) {
      for (const [key, { object }] of objects.entries()) if (object.isReplaced) objects.delete(key);
    }
    if (this.#changed.size + this.#created.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** The recent objects by key. */
function recentObjects(maxSize: number): LRUCache<string, Recent> {
  return new LRUCache({
    maxSize,
    sizeCalculation: ({ object }) => object.size,
    dispose: ({ object }) => object.keepValue(undefined),
  });
}
