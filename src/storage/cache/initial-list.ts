import type { CacheSettings } from './cache-settings.ts';
import { SlabWriter } from '../objects/item-slab.ts';
import type { ListBytesCache } from '../objects/list-bytes-cache.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import type { PackedJson } from '../objects/packed-json.ts';
import { ValuePacker } from '../objects/value-packer.ts';
import type { ObjectStore, StoredValue, StoreEvent } from '../port/object-store.ts';
import { ResourceState, type StateContext } from './resource-state.ts';
import { StorageError } from '../port/storage-error.ts';
import type { Reflector } from './reflector.ts';

/** Dependencies of the initial list of a resource. */
interface FillContext {
  readonly store: ObjectStore;
  readonly reflector: Reflector;
  readonly settings: CacheSettings;
  readonly now: () => number;
  /** The prefix of the resource's keys. */
  readonly prefix: string;
  readonly reader: ObjectReader;
  readonly listBytes: ListBytesCache;
  /** Receives the complete state synchronously, so that no event is lost in between. */
  readonly adopt: (state: ResourceState) => void;
}

/** Maximum number of attempts. The list is retried if its revision was compacted meanwhile. */
const attempts = 3;

/**
 * Lists a resource from the store, and applies the events that the reflector delivers during the
 * list.
 */
export class InitialList {
  readonly #context: FillContext;
  #running: Promise<ResourceState> | undefined;
  /** Events of the reflector since the list began. */
  #early: StoreEvent[] | undefined;

  constructor(context: FillContext) {
    this.#context = context;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Takes one event of the reflector; ignored if no list is running. */
  take(event: StoreEvent): void {
    this.#early?.push(event);
  }

  /** Fills the cache; concurrent callers share one run. Throws StorageError. */
  run(): Promise<ResourceState> {
    this.#running ??= this.#fill().finally(() => {
      this.#running = undefined;
      this.#early = undefined;
    });
    return this.#running;
  }

  async #fill(): Promise<ResourceState> {
    const { reflector, settings, adopt } = this.#context;
    for (let attempt = 1; ; attempt++) {
      reflector.start();
      if (!(await reflector.reaches(1, { timeoutMs: settings.freshnessTimeoutMs }))) {
        throw new StorageError('Unavailable', 'the store cannot be reached');
      }
      const { generation } = reflector;
      // Events from here on may be missing from the list.
      this.#early = [];
      try {
        const state = await this.#read();
        if (reflector.generation !== generation) continue;
        // It may be of a store that was restored since; it is read again over a known connection.
        // An older server of a remote store names none in lists.
        if (state.session !== undefined && !reflector.vouchesFor(state.session)) {
          await this.#checkedStream();
          continue;
        }
        for (const event of this.#early) state.apply(event);
        adopt(state);
        return state;
      } catch (error) {
        const again = error instanceof StorageError && error.code === 'Compacted' && attempt < attempts;
        if (!again) throw error;
      }
    }
  }

  /** Resolves when a stream was checked. Throws SessionEnded if that takes too long. */
  async #checkedStream(): Promise<void> {
    const { reflector, settings } = this.#context;
    if (await reflector.becomesSound({ timeoutMs: settings.freshnessTimeoutMs })) return;
    throw new StorageError('SessionEnded', 'the watch on the store was not checked since the connection was renewed');
  }

  async #read(): Promise<ResourceState> {
    const { store, settings, now, prefix, reader, listBytes } = this.#context;
    const { read, readOwn, onCorrupt } = reader;
    const context: StateContext = { read, readOwn, onCorrupt, limits: settings.history, now, listBytes };
    const [slabs, packer] = [new SlabWriter(), new ValuePacker()];
    let state: ResourceState | undefined;
    // Large values of a page are compressed while the next page is read.
    let loading: Promise<void> | undefined;
    for await (const page of store.list(prefix)) {
      await loading;
      state ??= new ResourceState(page.revision, context, page.session);
      loading = loadPage(state, page.values, slabs, packer);
      // Its failure is thrown by the next page, or after the last.
      loading?.catch(() => undefined);
    }
    await loading;
    slabs.close();
    if (!state) throw new StorageError('Corrupt', `the store returned no list for ${prefix}`);
    return state;
  }
}

/** Adds the values of a page; the promise of that if it has large ones. */
function loadPage(
  state: ResourceState,
  values: readonly StoredValue[],
  slabs: SlabWriter,
  packer: ValuePacker,
): Promise<void> | undefined {
  const load = (packed?: ReadonlyMap<StoredValue, PackedJson>): void => {
    for (const stored of values) state.load(stored, { slabs, packed: packed?.get(stored) });
  };
  const packing = packer.pack(values);
  if (packing) return packing.then(load);
  load();
  return undefined;
}
