import type { CachedObject } from './cached-object.ts';
import type { JoinedItems } from './list-bytes-cache.ts';
import { type Allocate, allocateAlone } from './resource-reading.ts';

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
  /**
   * Takes back a piece that nobody reads any more: its memory is used for a later piece. Absent if
   * the pieces are kept, or few.
   */
  readonly release?: ((piece: Buffer) => void) | undefined;
}

/**
 * Returns the items of a list of cached objects as JSON, and keeps the pieces that it joins in
 * `joined`.
 */
export function itemsJson(objects: readonly CachedObject[], joined?: JoinedItems): ItemsJson {
  const length = lengthOf(objects, joined);
  // The first item has no comma before it.
  const counted = Math.max(0, length - 1);
  if (length <= keptUpToBytes) return { length: counted, pieces: () => piecesOf(objects, joined, allocateAlone) };
  const buffers = new PieceBuffers();
  return { length: counted, pieces: () => piecesOf(objects, undefined, buffers.take), release: buffers.giveBack };
}

/** A piece is longer than `pieceBytes` by a part of an item. */
const bufferBytes = pieceBytes + 64 * 1024;

/**
 * Buffers for the pieces of one long list. New memory for each would cost more than joining the
 * items: the system clears it.
 */
class PieceBuffers {
  readonly #free: Buffer[] = [];
  readonly #taken = new Set<ArrayBufferLike>();

  /** Returns a buffer whose content is undefined. */
  readonly take = (length: number): Buffer => {
    if (length > bufferBytes) return allocateAlone(length);
    const bytes = this.#free.pop() ?? allocateAlone(bufferBytes);
    this.#taken.add(bytes.buffer);
    return bytes.subarray(0, length);
  };

  /** Takes back a buffer; ignores one that is not from here. */
  readonly giveBack = ({ buffer }: Buffer): void => {
    if (this.#taken.delete(buffer)) this.#free.push(Buffer.from(buffer));
  };
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

function* piecesOf(
  objects: readonly CachedObject[],
  joined: JoinedItems | undefined,
  allocate: Allocate,
): Generator<Buffer> {
  for (let from = 0; from < objects.length; ) {
    const { count, bytes } = joined?.find('', from) ?? joinedFrom(objects, { from, joined, allocate });
    yield from === 0 ? bytes.subarray(1) : bytes;
    from += count;
  }
}

interface PieceStart {
  readonly from: number;
  readonly joined: JoinedItems | undefined;
  readonly allocate: Allocate;
}

/** Joins the items from one on, up to the length of a piece or the next ones that are known. */
function joinedFrom(objects: readonly CachedObject[], { from, joined, allocate }: PieceStart) {
  let length = 0;
  let to = from;
  do length += objects[to++]?.itemBytes ?? 0;
  while (to < objects.length && length < pieceBytes && !joined?.find('', to));
  const bytes = allocate(length);
  joinItems(objects.slice(from, to), bytes);
  if (length >= keptFromBytes && to - from >= keptFromItems) joined?.keep('', from, to, bytes);
  return { count: to - from, bytes };
}

/** Throws if the length is wrong: the buffer would have uninitialised bytes. */
function joinItems(objects: readonly CachedObject[], bytes: Buffer): void {
  const { length } = bytes;
  let at = 0;
  for (const object of objects) at = object.copyItem(bytes, at);
  if (at !== length) throw new Error(`the items of a list are ${at} bytes long instead of ${length}`);
}
