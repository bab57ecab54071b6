import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { CacheSettings } from './cache-settings.ts';
import type { ListBytesCache } from '../objects/list-bytes-cache.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import { type Allocate, allocateAlone, largestSize } from '../objects/resource-reading.ts';
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

  /**
   * Called when an event was lost, or values are decoded differently: a running list starts again.
   */
  lost(): void {
    this.#early = undefined;
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
        if (reflector.generation !== generation || !this.#early) continue;
        // The state may come from a store that was restored since; it is read again over a known
        // connection. An older server of a remote store names none in lists.
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
    const context: StateContext = { prefix, read, readOwn, onCorrupt, limits: settings.history, now, listBytes };
    let state: ResourceState | undefined;
    // Large objects of a page are compressed while the next page is read.
    let packing: Promise<void> | undefined;
    for await (const page of store.list(prefix)) {
      await packing;
      state ??= new ResourceState(page.revision, context, page.session);
      await loadPage(state, page.values);
      packing = state.packLoaded();
    }
    await packing;
    if (!state) throw new StorageError('Corrupt', `the store returned no list for ${prefix}`);
    return state;
  }
}

/** Neighbours that share a buffer: few, because the last of them keeps the bytes of all. */
const sharers = 8;
/** Larger values have buffers of their own, which cost them little. */
const sharedUpToBytes = 16 * 1024;

/** Adds the values of a page. A small object with a buffer of its own would need a quarter more. */
async function loadPage(state: ResourceState, values: readonly StoredValue[]): Promise<void> {
  let start = performance.now();
  for (let from = 0; from < values.length; from += sharers) {
    const some = values.slice(from, from + sharers);
    const shared = rangesOf(some.filter(isSmall).reduce((sum, stored) => sum + largestSize(stored), 0));
    for (const stored of some) {
      state.load(stored, isSmall(stored) ? shared : allocateAlone);
      const turn = yieldIfLong(start);
      if (!turn) continue;
      await turn;
      start = performance.now();
    }
  }
}

function isSmall(stored: StoredValue): boolean {
  return !stored.computed && stored.value.length <= sharedUpToBytes;
}

/** Returns a function that gives ranges of one buffer, one after the other. */
function rangesOf(length: number): Allocate {
  const shared = Buffer.allocUnsafeSlow(length);
  let end = 0;
  return (wanted) => {
    end += wanted;
    if (end > length) throw new RangeError(`a buffer of ${length} bytes has no room for ${end}`);
    return shared.subarray(end - wanted, end);
  };
}
