import type { CachedObject } from './cached-object.ts';
import type { JoinedItems } from './list-bytes-cache.ts';

/** Items are joined in pieces of about this many bytes. */
const pieceBytes = 512 * 1024;

/** Pieces of at least this many bytes are kept for the next list; less is cheaper to join again. */
const keptFromBytes = 64 * 1024;

/** Pieces of fewer items are not kept: these are large, and have been compressed to save memory. */
const keptFromItems = 16;

/** The pieces of a longer list are not kept: they would take the places of all others. */
const keptUpToBytes = 24 * 1024 * 1024;

/**
 * The items of a list as JSON, `{...},{...}`: with commas between them, without the brackets
 * around them.
 */
export interface ItemsJson {
  /** Bytes of all pieces together. */
  readonly length: number;
  /**
   * The bytes in pieces of about 512 KiB. A piece that another list has joined is taken from it;
   * the others are joined when they are taken, so that a slow reader holds one of them.
   */
  readonly pieces: () => Iterable<Buffer>;
}

/** Returns the items of a list of cached objects as JSON, and keeps what it joins in `joined`. */
export function itemsJson(objects: readonly CachedObject[], joined?: JoinedItems): ItemsJson {
  const length = lengthOf(objects, joined);
  const kept = length > keptUpToBytes ? undefined : joined;
  // The first item has no comma before it.
  return { length: Math.max(0, length - 1), pieces: () => piecesOf(objects, kept) };
}

/** Each item counts a comma. */
function lengthOf(objects: readonly CachedObject[], joined: JoinedItems | undefined): number {
  let length = 0;
  for (let from = 0; from < objects.length; ) {
    const known = joined?.find('', from);
    length += known ? known.bytes.length : (objects[from]?.itemBytes ?? 0);
    from += known?.count ?? 1;
  }
  return length;
}

function* piecesOf(objects: readonly CachedObject[], joined: JoinedItems | undefined): Generator<Buffer> {
  for (let from = 0; from < objects.length; ) {
    const { count, bytes } = joined?.find('', from) ?? joinedFrom(objects, from, joined);
    yield from === 0 ? bytes.subarray(1) : bytes;
    from += count;
  }
}

/** Joins the items from one on, up to the length of a piece or the next ones that are known. */
function joinedFrom(objects: readonly CachedObject[], from: number, joined: JoinedItems | undefined) {
  let length = 0;
  let to = from;
  do length += objects[to++]?.itemBytes ?? 0;
  while (to < objects.length && length < pieceBytes && !joined?.find('', to));
  const bytes = joinItems(objects.slice(from, to), length);
  if (length >= keptFromBytes && to - from >= keptFromItems) joined?.keep('', from, to, bytes);
  return { count: to - from, bytes };
}

/** Throws if the length is wrong: the buffer would have uninitialised bytes. */
function joinItems(objects: readonly CachedObject[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const object of objects) at = object.copyItem(bytes, at);
  if (at !== length) throw new Error(`the items of a list are ${at} bytes long instead of ${length}`);
  return bytes;
}
