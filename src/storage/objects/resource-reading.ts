import { isWellFormedJson } from '../../json/is-well-formed-json.ts';
import { closeBrace, openBrace } from '../../json/json-cursor.ts';
import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { CachedObject, type ObjectDecoding } from './cached-object.ts';
import type { EncodingBudget } from './encoding-budget.ts';
import { computedJson } from './large-objects.ts';
import { decodeStoredObject } from './stored-object.ts';

/** The names of a stored object, and how it is decoded. */
export interface ReadContext {
  readonly namespace: string;
  readonly name: string;
  /**
   * The kind that the value must have; a value of another one, or an incomplete one, is Corrupt.
   * Absent for values that need no check, because this server has just written them.
   */
  readonly kind?: string | undefined;
  readonly decoding?: ObjectDecoding | undefined;
  /** True if items of lists have kind and apiVersion, as items of custom resources do. */
  readonly typedItems?: boolean | undefined;
  /** Limits the encodings that are cached with the object; absent if it is in no cache. */
  readonly encodings?: EncodingBudget | undefined;
}

/** The options for all objects of a resource. */
export type ResourceReading = Pick<ReadContext, 'kind' | 'decoding' | 'typedItems'>;

/** Returns a buffer whose content is undefined. */
export type Allocate = (length: number) => Buffer;

/** Gives each object a buffer of its own, and none of Node's pool, which it would keep alive. */
export const allocateAlone: Allocate = (length) => Buffer.allocUnsafeSlow(length);

const field = '"resourceVersion":"';

/** Bytes of the inserted text, at most: the field, a revision, two commas and a quote. */
const longestInsertion = field.length + String(Number.MAX_SAFE_INTEGER).length + 3;

/** The length that the JSON of a stored value has at most as a cached object. */
export function largestSize({ value }: StoredValue): number {
  return value.length + longestInsertion;
}

/**
 * Reads a stored value: copies its JSON once, with the resourceVersion inserted, to a buffer that
 * `allocate` gives. The JSON of a computed value is made at each use. Throws Corrupt for an invalid
 * envelope, and for a damaged value if the kind is given; the JSON is not parsed before it is used.
 */
export function cachedObject(
  stored: StoredValue,
  { kind, namespace, name, decoding, typedItems, encodings }: ReadContext,
  allocate = allocateAlone,
): CachedObject {
  if (kind !== undefined && !stored.computed) checkStored(stored, kind);
  const { key, revision, outdated = false, computed = false } = stored;
  const { json, digitsAt, metadataOffset } = withRevision(stored, computed ? allocateAlone : allocate);
  return new CachedObject({
    key,
    namespace,
    name,
    revision,
    outdated,
    json: computed ? computedJson(json, () => withRevision(stored, allocateAlone).json) : json,
    // The bytes of a whole item follow the brace that each item begins with.
    itemStart: typedItems ? 1 : metadataOffset,
    digitsAt,
    decoding,
    encodings,
  });
}

/** The JSON of an object with its resourceVersion, and offsets in it. */
interface RevisedJson {
  readonly json: Buffer;
  readonly metadataOffset: number;
  /** The offset of the digits of the resourceVersion. */
  readonly digitsAt: number;
}

function withRevision({ key, value, revision }: StoredValue, allocate: Allocate): RevisedJson {
  const { json: written, metadataOffset, revisionOffset } = decodeStoredObject(key, value);
  const isFirst = written[revisionOffset - 1] === openBrace;
  const isLast = written[revisionOffset] === closeBrace;
  const front = isFirst ? field : `,${field}`;
  const text = `${front}${revision}${isFirst && !isLast ? '",' : '"'}`;
  const json = allocate(written.length + text.length);
  written.copy(json, 0, 0, revisionOffset);
  json.write(text, revisionOffset, 'latin1');
  written.copy(json, revisionOffset + text.length, revisionOffset);
  return { json, metadataOffset, digitsAt: revisionOffset + front.length };
}

/** True if storing `encoded` would not change `object`. */
export function isUnchanged(object: CachedObject, encoded: Uint8Array): boolean {
  const { json, revisionOffset } = decodeStoredObject(object.key, encoded);
  const grown = object.size - json.length;
  if (grown <= 0) return false;
  const current = object.json;
  const tail = current.subarray(revisionOffset + grown);
  if (!tail.equals(json.subarray(revisionOffset))) return false;
  return current.subarray(0, revisionOffset).equals(json.subarray(0, revisionOffset));
}

/** True if decoding the stored value would give this object. */
export function isStored(object: CachedObject, stored: StoredValue): boolean {
  return object.revision === stored.revision && object.key === stored.key && isUnchanged(object, stored.value);
}

/** The beginning of the JSON of a stored object. */
const headPattern = /^\{"kind":("(?:[^"\\]|\\.)*"),"apiVersion":"(?:[^"\\]|\\.)*",$/;

/**
 * Checks that a value is JSON, and an object of a kind, without parsing it. Throws
 * Corrupt with the reason otherwise. Values come from outside of this process: a file system, a
 * backup or another program may have damaged them, and one such value in the bytes of a list would
 * damage the whole list.
 */
function checkStored({ key, value }: StoredValue, kind: string): void {
  const { json, metadataOffset } = decodeStoredObject(key, value);
  const found = headPattern.exec(json.toString('utf8', 0, metadataOffset))?.[1];
  if (found === undefined) throw damaged(key, 'its kind and apiVersion are not at its beginning');
  if (found !== JSON.stringify(kind)) throw damaged(key, `it is of kind ${found} and not ${JSON.stringify(kind)}`);
  if (!isWellFormedJson(json)) throw damaged(key, 'its JSON is incomplete or malformed');
}

function damaged(key: string, why: string): StorageError {
  return new StorageError('Corrupt', `the value stored at ${key} cannot be read: ${why}`, { key });
}
