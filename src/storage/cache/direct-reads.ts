import type { ObjectStore, StoredValue } from '../port/object-store.ts';
import type { CacheGet, CacheList, ListedObjects } from './resource-cache.ts';
import { itemsJson } from '../objects/items-json.ts';
import { isSelected, onePage, type PageQuery } from './list-page.ts';
import { abortable } from '../port/abortable.ts';
import { Semaphore } from '../../async/semaphore.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { StorageError } from '../port/storage-error.ts';

interface DirectReadsOptions {
  readonly store: ObjectStore;
  /** Decodes a stored value; throws Corrupt. */
  readonly read: (stored: StoredValue) => CachedObject;
  readonly onCorrupt: (error: StorageError) => void;
}

/** The revision of a list, undefined for the newest, and the keys of values that it leaves out. */
interface DirectList {
  readonly revision: number | undefined;
  readonly unreadable: string[];
}

/**
 * Maximum number of concurrent lists of one resource that bypass the cache. When the cache lags,
 * all readers come here together; the limit protects the store from them.
 */
const listsAtATime = 4;

/**
 * Reads of the store that the cache cannot answer: of revisions before its history, and while it
 * lags.
 */
export class DirectReads {
  readonly #options: DirectReadsOptions;
  readonly #lists = new Semaphore(listsAtATime);

  constructor(options: DirectReadsOptions) {
    this.#options = options;
  }

  /** Reads one object at a revision, or the newest. */
  async get(key: string, revision: number | undefined, signal?: AbortSignal): Promise<CacheGet> {
    const result = await this.#options.store.get(key, { ...at(revision), ...(signal ? { signal } : {}) });
    const object = result.current && this.#options.read(result.current);
    return { object, revision: revision ?? result.revision };
  }

  /** Reads a page at a revision, or the newest. */
  async list(query: PageQuery, revision: number | undefined, signal?: AbortSignal): Promise<CacheList> {
    const unreadable: string[] = [];
    const listed =
      query.key === undefined
        ? await this.#listMany(query, { revision, unreadable }, signal)
        : await this.#listOne(query.key, query, { revision, unreadable }, signal);
    return { ...listed, unreadable, json: () => itemsJson(listed.objects) };
  }

  async #listMany(query: PageQuery, target: DirectList, signal?: AbortSignal): Promise<ListedObjects> {
    await abortable(this.#lists.acquire(signal), signal);
    try {
      return await this.#list(query, target, signal);
    } finally {
      this.#lists.release();
    }
  }

  async #listOne(
    key: string,
    query: PageQuery,
    { revision, unreadable }: DirectList,
    signal?: AbortSignal,
  ): Promise<ListedObjects> {
    const result = await this.#options.store.get(key, { ...at(revision), ...(signal ? { signal } : {}) });
    return onePage(result.current && this.#tryRead(result.current, unreadable), revision ?? result.revision, query);
  }

  async #list(query: PageQuery, { revision, unreadable }: DirectList, signal?: AbortSignal): Promise<ListedObjects> {
    const { prefix, limit, afterKey } = query;
    const thinned = query.filter !== undefined || query.name !== undefined;
    const pages = this.#options.store.list(prefix, {
      ...at(revision),
      ...(afterKey === undefined ? {} : { startKey: `${afterKey}\0` }),
      ...(limit > 0 && !thinned ? { limit } : {}),
      ...(signal ? { signal } : {}),
    });
    const objects: CachedObject[] = [];
    let reached: { revision: number; lastKey?: string | undefined; remaining: number } | undefined;
    for await (const page of pages) {
      for (const stored of page.values) {
        const object = this.#tryRead(stored, unreadable);
        if (!object || !isSelected(query, object)) continue;
        // One selected object beyond the limit shows that more remain.
        if (thinned && limit > 0 && objects.length === limit) {
          return { revision: page.revision, objects, lastKey: objects.at(-1)?.key, remaining: undefined };
        }
        objects.push(object);
      }
      reached = { revision: page.revision, lastKey: page.values.at(-1)?.key, remaining: page.remaining };
    }
    const remaining = thinned ? 0 : (reached?.remaining ?? 0);
    return {
      revision: revision ?? reached?.revision ?? 0,
      objects,
      lastKey: remaining > 0 ? reached?.lastKey : undefined,
      remaining: remaining > 0 ? remaining : undefined,
    };
  }

  #tryRead(stored: StoredValue, unreadable: string[]): CachedObject | undefined {
    try {
      return this.#options.read(stored);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'Corrupt') throw error;
      this.#options.onCorrupt(error);
      unreadable.push(stored.key);
      return undefined;
    }
  }
}

function at(revision: number | undefined): { readonly revision?: number } {
  return revision === undefined ? {} : { revision };
}
