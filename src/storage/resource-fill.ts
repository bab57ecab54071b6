import type { CacheSettings } from './cache-settings.ts';
import { SlabWriter } from './item-slab.ts';
import type { ListBytesCache } from './list-bytes-cache.ts';
import type { ObjectReader } from './object-reader.ts';
import type { ObjectStore, StoreEvent } from './object-store.ts';
import { ResourceState, type StateContext } from './resource-state.ts';
import { StorageError } from './storage-error.ts';
import type { StoreFeed } from './store-feed.ts';

/** What a fill reads from, and who gets what it has read. */
interface FillContext {
  readonly store: ObjectStore;
  readonly feed: StoreFeed;
  readonly settings: CacheSettings;
  readonly now: () => number;
  /** What the keys of the resource begin with. */
  readonly prefix: string;
  readonly reader: ObjectReader;
  readonly listBytes: ListBytesCache;
  /** Is given the state in the turn in which it is whole, so that no event falls between the two. */
  readonly adopt: (state: ResourceState) => void;
}

/** A fill whose list was compacted away under it begins again, so often. */
const attempts = 3;

/** Reads a resource out of the store, and takes in what the feed tells of it meanwhile. */
export class ResourceFill {
  readonly #context: FillContext;
  #running: Promise<ResourceState> | undefined;
  /** Events that the list may not show. */
  #early: StoreEvent[] | undefined;

  constructor(context: FillContext) {
    this.#context = context;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Takes one event of the feed, if a fill is under way. */
  take(event: StoreEvent): void {
    this.#early?.push(event);
  }

  /** Fills; all callers at a time share one fill. Fails with a StorageError. */
  run(): Promise<ResourceState> {
    this.#running ??= this.#fill().finally(() => {
      this.#running = undefined;
      this.#early = undefined;
    });
    return this.#running;
  }

  async #fill(): Promise<ResourceState> {
    const { feed, settings, adopt } = this.#context;
    for (let attempt = 1; ; attempt++) {
      feed.start();
      if (!(await feed.reaches(1, { timeoutMs: settings.freshnessTimeoutMs }))) {
        throw new StorageError('Unavailable', 'the store cannot be reached');
      }
      const { generation } = feed;
      // What the list does not show yet, the feed will tell from here on.
      this.#early = [];
      try {
        const state = await this.#read();
        if (feed.generation !== generation) continue;
        for (const event of this.#early) state.apply(event);
        adopt(state);
        return state;
      } catch (error) {
        const again = error instanceof StorageError && error.code === 'Compacted' && attempt < attempts;
        if (!again) throw error;
      }
    }
  }

  async #read(): Promise<ResourceState> {
    const { store, settings, now, prefix, reader, listBytes } = this.#context;
    const { read, onCorrupt } = reader;
    const context: StateContext = { read, onCorrupt, limits: settings.history, now, listBytes };
    const slabs = new SlabWriter();
    let state: ResourceState | undefined;
    for await (const page of store.list(prefix)) {
      state ??= new ResourceState(page.revision, context);
      for (const stored of page.values) state.load(stored, slabs);
    }
    slabs.close();
    if (!state) throw new StorageError('Corrupt', `the store answered no page for ${prefix}`);
    return state;
  }
}
