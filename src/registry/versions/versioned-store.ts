import { performance } from 'node:perf_hooks';
import { andThen } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { JsonDecodeError } from '../../codec/decode-error.ts';
import { roomAfter } from '../../meta/interned-json.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import {
  computedValue,
  decodeStoredObject,
  encodeStoredObject,
  hasStoredHead,
} from '../../storage/objects/stored-object.ts';
import { storePrefix } from '../../storage/port/object-key.ts';
import type { ListPage, ObjectStore, StoredValue, StoreEvent, SwapResult } from '../../storage/port/object-store.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import type { StoredVersions } from '../definition/resource-definition.ts';
import type { StoredKind } from './stored-kinds.ts';
import type { ServedVersion } from '../definition/stored-resource.ts';

/** The kinds by the segment of their keys. */
interface FoundKinds {
  get(segment: string): StoredKind | undefined;
}

/**
 * A converted value is computed at each access if it is longer than a multiple of the stored value
 * and some bytes. A definition can have a default of megabytes for each stored object.
 */
const longestTimes = 4;
const longestBytes = 4 * 1024;

/**
 * A store that holds objects in any of their versions and shows them in the version of the cache
 * (`StorageDefinition`). Objects are written in the version that `kinds` names. Values in another
 * version than that are marked `outdated`, so that the next write of the object rewrites them.
 * Values that cannot be read are passed on unchanged. `kinds` are by the segment of their keys.
 */
export function versionedStore(store: ObjectStore, prefix: string, kinds: FoundKinds): ObjectStore {
  const kindOf = kindsByKey(prefix, kinds);
  const shown = (stored: StoredValue): StoredValue => {
    const kind = kindOf(stored.key);
    if (!kind) return stored;
    const { open } = stored;
    return open ? { ...stored, open: () => andThen(open(), shown) } : inCacheVersion(kind, stored);
  };
  const shownIfAny = (stored: StoredValue | undefined) => stored && shown(stored);
  const shownSwap = (result: SwapResult): SwapResult =>
    result.swapped ? result : { ...result, current: shownIfAny(result.current) };
  const written = (key: string, value: Uint8Array): Uint8Array => {
    const kind = kindOf(key);
    return kind && !kind.written.stored ? inWrittenVersion(kind, key, value) : value;
  };
  return {
    get: async (...args) => {
      const result = await store.get(...args);
      return { ...result, current: shownIfAny(result.current) };
    },
    create: (key, value, options) => store.create(key, written(key, value), options),
    update: (key, value, revision, options) =>
      store.update(key, written(key, value), revision, options).then(shownSwap),
    delete: (...args) => store.delete(...args).then(shownSwap),
    list: (...args) => shownPages(store.list(...args), shown),
    async *watch(...args) {
      for await (const batch of store.watch(...args)) {
        yield { ...batch, events: batch.events.map((event) => shownEvent(event, shown)) };
      }
    },
    compact: (...args) => store.compact(...args),
    status: (...args) => store.status(...args),
    close: () => store.close(),
  };
}

async function* shownPages(
  pages: AsyncIterable<ListPage>,
  shown: (stored: StoredValue) => StoredValue,
): AsyncGenerator<ListPage, void, undefined> {
  for await (const page of pages) {
    const values: StoredValue[] = [];
    let start = performance.now();
    for (const stored of page.values) {
      values.push(shown(stored));
      const turn = yieldIfLong(start);
      if (!turn) continue;
      await turn;
      start = performance.now();
    }
    yield { ...page, values };
  }
}

function shownEvent(event: StoreEvent, shown: (stored: StoredValue) => StoredValue): StoreEvent {
  const previous = event.previous && shown(event.previous);
  if (event.type === 'delete') return previous === event.previous ? event : { ...event, previous };
  const current = shown(event.current);
  const isSame = current === event.current && previous === event.previous;
  return isSame ? event : { ...event, previous, current };
}

/** Finds the kind of a key; undefined for keys of other kinds and of the server. */
function kindsByKey(prefix: string, kinds: FoundKinds): (key: string) => StoredKind | undefined {
  const start = storePrefix(prefix).length;
  return (key) => {
    const end = key.indexOf('/', start);
    return end < 0 ? undefined : kinds.get(key.slice(start, end));
  };
}

function inCacheVersion(kind: StoredKind, stored: StoredValue): StoredValue {
  const { storageVersion, written, versions, head } = kind;
  if (head && hasStoredHead(stored.value, head)) return stored;
  const version = versions.get(headOf(stored));
  if (!version) return stored;
  const isOutdated = version.apiVersion !== written.apiVersion;
  if (kind.mixed) return inStoredVersion(kind, kind.mixed, { stored, version, isOutdated });
  if (version.stored && !kind.completionIn?.(version)) return isOutdated ? { ...stored, outdated: true } : stored;
  const convert = (object: JsonObject): JsonObject | undefined => {
    if (version.stored) return kind.completionIn?.(version)?.(object);
    // A damaged object does not have the types that conversions rely on.
    const { value: decoded } = decodeObject(version.schema, object);
    const inStorage = decodeObject(storageVersion.schema, version.toStorage(decoded)).value;
    return kind.completionIn?.(storageVersion)?.(inStorage) ?? inStorage;
  };
  return convertedValue(stored, convert, isOutdated) ?? stored;
}

interface FoundValue {
  readonly stored: StoredValue;
  readonly version: ServedVersion;
  readonly isOutdated: boolean;
}

/** A value of a kind whose readers convert its objects themselves. */
function inStoredVersion(
  kind: StoredKind,
  mixed: StoredVersions,
  { stored, version, isOutdated }: FoundValue,
): StoredValue {
  if (isOutdated) mixed.areMixed = true;
  const complete = kind.completionIn?.(version);
  const value = complete && convertedValue(stored, complete, isOutdated);
  return value ?? (isOutdated ? { ...stored, outdated: true } : stored);
}

function inWrittenVersion({ written }: StoredKind, key: string, value: Uint8Array): Uint8Array {
  return unlessUnreadable(() => encoded({ key, value }, (object) => written.fromStorage(object))) ?? value;
}

/** The beginning of the JSON, up to its metadata; '' for a value without an envelope. */
function headOf({ key, value }: StoredValue): string {
  try {
    const { json, metadataOffset } = decodeStoredObject(key, value);
    return json.toString('latin1', 0, metadataOffset);
  } catch {
    return '';
  }
}

/** Returns the object in its new form; undefined if nothing changes. May change its argument. */
type Conversion = (object: JsonObject) => JsonObject | undefined;

/** A value and its key. */
type KeyedValue = Pick<StoredValue, 'key' | 'value'>;

/**
 * Converts a stored value; undefined if its JSON is not an object of its kind, or nothing changes.
 */
function convertedValue(stored: StoredValue, convert: Conversion, isOutdated: boolean): StoredValue | undefined {
  return unlessUnreadable(() => {
    const object = converted(stored, convert);
    if (!object) return undefined;
    const isLong = roomAfter(object, stored.value.length * longestTimes + longestBytes) < 0;
    if (isLong) return computedAgain(stored, convert, isOutdated);
    return { ...stored, value: encodeStoredObject(object), ...(isOutdated ? { outdated: true } : {}) };
  });
}

/** The value is copied: it may be a part of a message with many others. */
function computedAgain(stored: StoredValue, convert: Conversion, isOutdated: boolean): StoredValue {
  const { key, value, revision } = stored;
  const kept = { key, value: Uint8Array.from(value) };
  const mark = isOutdated || stored.outdated ? ({ outdated: true } as const) : {};
  return computedValue({ key, revision, ...mark }, () => encoded(kept, convert) ?? kept.value);
}

function encoded(stored: KeyedValue, convert: Conversion): Uint8Array | undefined {
  const object = converted(stored, convert);
  return object && encodeStoredObject(object);
}

function converted({ key, value }: KeyedValue, convert: Conversion): JsonObject | undefined {
  const { value: object } = decodeJson(decodeStoredObject(key, value).json, { duplicates: false });
  return isJsonObject(object) ? convert(object) : undefined;
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof StorageError || error instanceof JsonDecodeError || error instanceof FieldDecodeError;
}
