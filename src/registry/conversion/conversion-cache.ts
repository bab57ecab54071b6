import { LRUCache } from 'lru-cache';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { EncodingBudget } from '../../storage/objects/encoding-budget.ts';
import { ListBytesCache } from '../../storage/objects/list-bytes-cache.ts';

/** Limit of the converted objects of all resources. */
const limitBytes = 64 * 1024 * 1024;
/** Bytes that an object takes besides its JSON and the JSON of its source. */
const overheadBytes = 1024;

interface CachedConversion {
  readonly source: CachedObject;
  readonly converted: CachedObject;
}

/**
 * Keeps converted objects, those that were used recently, with the bytes of their lists and their
 * encodings in other formats. Shared by all resources of a server.
 */
export class ConversionCache {
  readonly listBytes = new ListBytesCache();
  readonly encodings = new EncodingBudget();
  readonly #kept: LRUCache<string, CachedConversion>;
  #owners = 0;

  constructor(limit = limitBytes) {
    this.#kept = new LRUCache({
      maxSize: limit,
      sizeCalculation: ({ source, converted }) => source.size + converted.size + overheadBytes,
      dispose: ({ converted }) => converted.retire(),
    });
  }

  /** A name for the objects of one version of one state of a definition. */
  newOwner(): number {
    return this.#owners++;
  }

  /** The conversion of an object. A restored store can have another object at the same revision. */
  get(owner: number, source: CachedObject): CachedObject | undefined {
    const kept = this.#kept.get(nameOf(owner, source));
    if (!kept) return undefined;
    return kept.source === source || kept.source.json.equals(source.json) ? kept.converted : undefined;
  }

  set(owner: number, source: CachedObject, converted: CachedObject): void {
    converted.enter();
    source.keepApart();
    this.#kept.set(nameOf(owner, source), { source, converted });
  }
}

function nameOf(owner: number, { revision, key }: CachedObject): string {
  return `${owner} ${revision} ${key}`;
}
