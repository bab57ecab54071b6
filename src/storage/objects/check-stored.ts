import { endOfString } from '../../codec/scan-json.ts';
import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { decodeStoredObject } from './stored-object.ts';

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The beginning of the JSON of a stored object. */
const headPattern = /^\{"kind":("(?:[^"\\]|\\.)*"),"apiVersion":"(?:[^"\\]|\\.)*",$/;

/**
 * Checks that a value was written whole, and is an object of a kind, without parsing it. Throws
 * Corrupt with the reason otherwise. Values come from outside of this process: a file system, a
 * backup or another program may have damaged them, and one such value in the bytes of a list would
 * damage the whole list.
 */
export function checkStored({ key, value }: StoredValue, kind: string): void {
  const { json, metadataOffset } = decodeStoredObject(key, value);
  const found = headPattern.exec(json.toString('utf8', 0, metadataOffset))?.[1];
  if (found === undefined) throw damaged(key, 'its kind and apiVersion are not at its beginning');
  if (found !== JSON.stringify(kind)) throw damaged(key, `it is of kind ${found} and not ${JSON.stringify(kind)}`);
  if (!isWhole(json)) throw damaged(key, 'its JSON is incomplete');
}

function damaged(key: string, why: string): StorageError {
  return new StorageError('Corrupt', `the value stored at ${key} cannot be read: ${why}`, { key });
}

/** True if the first object of a document ends exactly at its end. */
function isWhole(json: Buffer): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === quote) index = endOfString(json, index + 1);
    else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return index === json.length - 1;
  }
  return false;
}
