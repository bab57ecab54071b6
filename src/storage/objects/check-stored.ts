import { isWellFormedJson } from '../../codec/is-well-formed-json.ts';
import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { decodeStoredObject } from './stored-object.ts';

/** The beginning of the JSON of a stored object. */
const headPattern = /^\{"kind":("(?:[^"\\]|\\.)*"),"apiVersion":"(?:[^"\\]|\\.)*",$/;

/**
 * Checks that a value is JSON, and an object of a kind, without parsing it. Throws
 * Corrupt with the reason otherwise. Values come from outside of this process: a file system, a
 * backup or another program may have damaged them, and one such value in the bytes of a list would
 * damage the whole list.
 */
export function checkStored({ key, value }: StoredValue, kind: string): void {
  const { json, metadataOffset } = decodeStoredObject(key, value);
  const found = headPattern.exec(json.toString('utf8', 0, metadataOffset))?.[1];
  if (found === undefined) throw damaged(key, 'its kind and apiVersion are not at its beginning');
  if (found !== JSON.stringify(kind)) throw damaged(key, `it is of kind ${found} and not ${JSON.stringify(kind)}`);
  if (!isWellFormedJson(json)) throw damaged(key, 'its JSON is incomplete or malformed');
}

function damaged(key: string, why: string): StorageError {
  return new StorageError('Corrupt', `the value stored at ${key} cannot be read: ${why}`, { key });
}
