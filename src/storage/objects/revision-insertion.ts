import type { StoredValue } from '../port/object-store.ts';
import { decodeStoredObject } from './stored-object.ts';

/** A stored value, and what makes its document: the JSON with the resourceVersion inserted. */
export interface RevisionInsertion {
  /** The JSON without resourceVersion; shares memory with the stored value. */
  readonly json: Buffer;
  readonly metadataOffset: number;
  readonly revisionOffset: number;
  /** The inserted text. */
  readonly text: string;
  /** Offset of the digits of the resourceVersion in the document. */
  readonly digitsAt: number;
  /** Bytes of the document. */
  readonly length: number;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const field = '"resourceVersion":"';

/** Prepares the document of a stored value. Throws Corrupt for an invalid envelope. */
export function revisionInsertion({ key, value, revision }: StoredValue): RevisionInsertion {
  const { json, metadataOffset, revisionOffset } = decodeStoredObject(key, value);
  const first = json[revisionOffset - 1] === openBrace;
  const last = json[revisionOffset] === closeBrace;
  const front = first ? field : `,${field}`;
  const text = `${front}${revision}${first && !last ? '",' : '"'}`;
  const [digitsAt, length] = [revisionOffset + front.length, json.length + text.length];
  return { json, metadataOffset, revisionOffset, text, digitsAt, length };
}

/** Writes a document from `start` on, which is not behind the resourceVersion. */
export function copyDocumentFrom(
  { json, revisionOffset, text }: RevisionInsertion,
  start: number,
  target: Buffer,
  at: number,
): void {
  json.copy(target, at, start, revisionOffset);
  const inserted = at + revisionOffset - start;
  target.write(text, inserted, 'latin1');
  json.copy(target, inserted + text.length, revisionOffset);
}
