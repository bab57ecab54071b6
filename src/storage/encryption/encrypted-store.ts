import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { storePrefix } from '../port/object-key.ts';
import {
  keyOf,
  type ListPage,
  type ObjectStore,
  type StoredValue,
  type StoreEvent,
  type SwapResult,
} from '../port/object-store.ts';
import { openedEvents } from '../port/sealed-events.ts';
import { StorageError } from '../port/storage-error.ts';
import { decryptValue } from './decrypt-value.ts';
import type { PlainValue, Transformer } from './ciphers/transformer.ts';

/** The transformers in use, which can change between calls. */
interface Encryption {
  /**
   * Returns the transformers of values whose keys have a segment (`secrets`, `deployments.apps`):
   * the first encrypts, all decrypt. Undefined if the values are not encrypted.
   */
  transformersOf(segment: string): readonly Transformer[] | undefined;
  /** Called for each value that no transformer can decrypt. */
  onUnreadable(key: string, segment: string, error: Error): void;
}

/**
 * A store with encrypted values. A value that cannot be decrypted is returned as it is stored;
 * decoding then fails for that object only. Internal values of the store are not encrypted.
 * `segmentOf` returns the segment of a key, '' if it has none.
 */
export function encryptedStore(
  store: ObjectStore,
  segmentOf: (key: string) => string,
  encryption: Encryption,
): ObjectStore {
  const plain = (stored: StoredValue): MaybePromise<StoredValue> => {
    const segment = segmentOf(stored.key);
    const transformers = encryption.transformersOf(segment);
    if (!transformers) return stored;
    return plainValue(transformers, stored, (error) => encryption.onUnreadable(stored.key, segment, error));
  };
  const encrypted = (key: string, value: Uint8Array): MaybePromise<Uint8Array> =>
    encryption.transformersOf(segmentOf(key))?.[0]?.encrypt(value, key) ?? value;
  const isEncrypted = (key: string): boolean => encryption.transformersOf(segmentOf(key)) !== undefined;
  const plainSwap = async (result: SwapResult): Promise<SwapResult> =>
    result.swapped || !result.current ? result : { ...result, current: await plain(result.current) };
  return {
    async get(...args) {
      const result = await store.get(...args);
      if (!result.current) return result;
      const current = plain(result.current);
      return { ...result, current: current instanceof Promise ? await current : current };
    },
    async create(key, value, options) {
      const sealed = encrypted(key, value);
      return store.create(key, sealed instanceof Promise ? await sealed : sealed, options);
    },
    async update(key, value, revision, options) {
      const sealed = encrypted(key, value);
      const result = await store.update(key, sealed instanceof Promise ? await sealed : sealed, revision, options);
      return result.swapped ? result : plainSwap(result);
    },
    delete: async (...args) => plainSwap(await store.delete(...args)),
    list: (...args) => plainPages(store.list(...args), plain),
    async *watch(watched, { sealed = false, ...options }) {
      for await (const batch of store.watch(watched, options)) {
        const events = batch.events.map((event) => (isEncrypted(keyOf(event)) ? sealedEvent(event, plain) : event));
        yield { ...batch, events: sealed ? events : await openedEvents(events) };
      }
    },
    compact: (...args) => store.compact(...args),
    status: (...args) => store.status(...args),
    close: () => store.close(),
  };
}

/**
 * Returns a function that extracts the first segment of a key after a prefix; '' if there is none.
 */
export function segmentsOf(prefix: string): (key: string) => string {
  const start = storePrefix(prefix).length;
  return (key) => key.slice(start, Math.max(start, key.indexOf('/', start)));
}

function plainValue(
  transformers: readonly Transformer[],
  stored: StoredValue,
  onUnreadable: (error: Error) => void,
): MaybePromise<StoredValue> {
  const { key, value } = stored;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const found = ({ value: decrypted, stale }: PlainValue): StoredValue =>
    stale ? { ...stored, value: decrypted, outdated: true } : { ...stored, value: decrypted };
  const failed = (error: unknown): StoredValue => {
    if (error instanceof StorageError || !(error instanceof Error)) throw error;
    onUnreadable(error);
    return stored;
  };
  try {
    const decrypted = decryptValue(transformers, bytes, key);
    return decrypted instanceof Promise ? decrypted.then(found, failed) : found(decrypted);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Decrypts pages. The values of a page are decrypted in parallel: each may be a call of a plugin.
 */
async function* plainPages(
  pages: AsyncIterable<ListPage>,
  plain: (stored: StoredValue) => MaybePromise<StoredValue>,
): AsyncGenerator<ListPage, void, undefined> {
  for await (const page of pages) {
    const values: MaybePromise<StoredValue>[] = [];
    let start = performance.now();
    for (const stored of page.values) {
      const value = plain(stored);
      // The error is thrown below; this avoids an unhandled rejection before that.
      if (value instanceof Promise) value.catch(() => undefined);
      values.push(value);
      const turn = yieldIfLong(start);
      if (!turn) continue;
      await turn;
      start = performance.now();
    }
    const settled: StoredValue[] = [];
    for (const value of values) settled.push(value instanceof Promise ? await value : value);
    yield { ...page, values: settled };
  }
}

/** An event whose values are decrypted on `open`. */
function sealedEvent(event: StoreEvent, plain: (stored: StoredValue) => MaybePromise<StoredValue>): StoreEvent {
  const sealed = (stored: StoredValue): StoredValue => ({ ...stored, open: () => plain(stored) });
  const previous = event.previous && sealed(event.previous);
  return event.type === 'delete' ? { ...event, previous } : { ...event, previous, current: sealed(event.current) };
}
