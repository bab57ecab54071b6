import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { CachedObject } from './cached-object.ts';
import type { EncodedParts } from './stored-object.ts';

/** Bytes of JSON whose trees are kept; a tree and the texts of its parts take some four times as much. */
const limitBytes = 2 << 20;

interface Recent {
  readonly json: Buffer;
  readonly tree: JsonObject;
  /** Of an object that was changed here. */
  readonly parts: EncodedParts | undefined;
}

/**
 * The trees of objects that were changed here lately. Who changes an object often changes it again, and taking its bytes apart is the
 * larger part of a small change. Most objects are created and never changed, so a new one is not worth the memory, nor the collector's
 * time. Trees are shared: nobody may change them.
 */
export class RecentObjects {
  /** By key, the oldest first. */
  readonly #recent = new Map<string, Recent>();
  #bytes = 0;

  /** The object in the storage version. To be read only. */
  treeOf(object: CachedObject): JsonObject {
    const recent = this.#recent.get(object.key);
    // A store that was restored from a backup has other objects under the revisions that are known.
    if (recent && (recent.json === object.json || recent.json.equals(object.json))) return recent.tree;
    const tree = object.decode();
    this.#keep(object, tree, undefined);
    return tree;
  }

  /** What was encoded when the object at a key was written the last time. To be read only. */
  partsOf(key: string): EncodedParts | undefined {
    return this.#recent.get(key)?.parts;
  }

  /** Takes note of what was written; its value lacks nothing but the resourceVersion of the write, and is not changed any more. */
  remember(object: CachedObject, { value, texts }: EncodedParts): void {
    const { metadata } = value;
    const resourceVersion = String(object.revision);
    const tree = { ...value, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion } };
    this.#keep(object, tree, { value: tree, texts });
  }

  #keep({ key, json }: CachedObject, tree: JsonObject, parts: EncodedParts | undefined): void {
    this.#forget(key);
    if (json.length > limitBytes / 8) return;
    this.#recent.set(key, { json, tree, parts });
    this.#bytes += json.length;
    for (const oldest of this.#recent.keys()) {
      if (this.#bytes <= limitBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const recent = this.#recent.get(key);
    if (!recent) return;
    this.#recent.delete(key);
    this.#bytes -= recent.json.length;
  }
}
