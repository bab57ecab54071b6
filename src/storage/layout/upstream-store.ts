import { performance } from 'node:perf_hooks';
import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { isInternalKey } from '../port/object-key.ts';
import type { ListPage, ObjectStore, StoredValue, StoreEvent, SwapResult } from '../port/object-store.ts';
import { openedEvents } from '../port/sealed-events.ts';
import type { UpstreamKeys } from './upstream-keys.ts';
import type { UpstreamValues } from './upstream-values.ts';

/**
 * Presents a store with kube-apiserver's keys and values in this server's layout. A value that is
 * not an object is returned unchanged; decoding it then fails. In a watch with `sealed` values are
 * decoded on `open`, because they may not be needed.
 */
export function upstreamStore(store: ObjectStore, keys: UpstreamKeys, values: UpstreamValues): ObjectStore {
  const shown = (stored: StoredValue): MaybePromise<StoredValue> => {
    const key = keys.fromStored(stored.key);
    if (isInternalKey(key)) return stored;
    const { open } = stored;
    if (open) return { ...stored, key, open: () => andThen(open(), shown) };
    return andThen(values.fromStored(stored.value), (value) => ({ ...stored, key, value }));
  };
  const written = (key: string, value: Uint8Array): Uint8Array =>
    isInternalKey(key) ? value : values.toStored(key, value);
  const shownSwap = async (result: SwapResult): Promise<SwapResult> =>
    result.swapped || !result.current ? result : { ...result, current: await shown(result.current) };
  return {
    async get(key, options) {
      const result = await store.get(keys.toStored(key), options);
      return result.current ? { ...result, current: await shown(result.current) } : result;
    },
    create: async (key, value, options) => store.create(keys.toStored(key), written(key, value), options),
    update: async (key, value, revision, options) =>
      shownSwap(await store.update(keys.toStored(key), written(key, value), revision, options)),
    delete: async (key, revision, options) => shownSwap(await store.delete(keys.toStored(key), revision, options)),
    list: (prefix, { startKey, ...options } = {}) =>
      shownPages(
        store.list(keys.toStored(prefix), {
          ...options,
          ...(startKey === undefined ? {} : { startKey: keys.toStored(startKey) }),
        }),
        shown,
      ),
    async *watch(prefix, options) {
      for await (const batch of store.watch(keys.toStored(prefix), { ...options, sealed: true })) {
        const events = batch.events.map((event) => sealedEvent(event, keys, shown));
        yield { ...batch, events: options.sealed ? events : await openedEvents(events) };
      }
    },
    compact: (...args) => store.compact(...args),
    status: (...args) => store.status(...args),
    close: () => store.close(),
  };
}

async function* shownPages(
  pages: AsyncIterable<ListPage>,
  shown: (stored: StoredValue) => MaybePromise<StoredValue>,
): AsyncGenerator<ListPage, void, undefined> {
  for await (const page of pages) {
    const values: StoredValue[] = [];
    let start = performance.now();
    for (const stored of page.values) {
      const value = shown(stored);
      values.push(value instanceof Promise ? await value : value);
      const turn = yieldIfLong(start);
      if (!turn) continue;
      await turn;
      start = performance.now();
    }
    yield { ...page, values };
  }
}

/** An event whose values are decoded on `open`. */
function sealedEvent(
  event: StoreEvent,
  keys: UpstreamKeys,
  shown: (stored: StoredValue) => MaybePromise<StoredValue>,
): StoreEvent {
  const sealed = (stored: StoredValue): StoredValue => {
    const key = keys.fromStored(stored.key);
    if (isInternalKey(key)) return stored;
    const { open } = stored;
    return { ...stored, key, open: () => (open ? andThen(open(), shown) : shown(stored)) };
  };
  const previous = event.previous && sealed(event.previous);
  if (event.type === 'delete') return { ...event, key: keys.fromStored(event.key), previous };
  return { ...event, previous, current: sealed(event.current) };
}
