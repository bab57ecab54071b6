import { settleIn, slabBytes } from './item-slab.ts';
import type { ListBytesCache, RunOwner } from './list-bytes-cache.ts';
import { DocumentItem, type ListItem } from './list-item.ts';
import { CacheEntry } from './cache-entry.ts';

/** Items are joined in pieces of about this many bytes. */
const pieceBytes = slabBytes;

/** Neighbours of at least this many bytes are sent from their slab; fewer are cheaper to copy. */
const sentInPlace = 64 * 1024;

/**
 * The items of a list as bytes, `{...},{...}`: with commas between them, without the brackets
 * around them.
 */
export interface ListLayout {
  /** Bytes of all pieces together. */
  readonly length: number;
  /**
   * The bytes in pieces of about 512 KiB. A piece that exists in memory is not copied; the others
   * are joined when they are taken, so that a slow reader holds one of them.
   */
  readonly pieces: () => Iterable<Buffer>;
}

/** Consecutive items of a list, with their bytes if these exist already. */
interface ListSegment {
  readonly from: number;
  readonly to: number;
  /** Bytes of the items, each with its leading comma. */
  readonly length: number;
  readonly bytes: Buffer | undefined;
}

/** The caches of list bytes for one list. */
interface ListCaching {
  /** True if no other object exists between the first and the last object of the list. */
  readonly gapless: boolean;
  readonly cache: ListBytesCache;
  readonly owner: RunOwner;
}

/**
 * Lays out cached objects. Neighbours are sent from the slab that they share, selections from the
 * bytes of an earlier list with the same selection. Items that must be joined are kept for the next
 * list, in a slab or in the cache.
 */
export function layOutObjects(objects: readonly CacheEntry[], caching: ListCaching): ListLayout {
  const segments = segmentsOf(objects, caching);
  return layoutOf(objects, segments, (items, bytes) => {
    if (bytes.length < sentInPlace) return;
    if (caching.gapless) settleIn(bytes, items);
    else caching.cache.keep(caching.owner, items, bytes);
  });
}

/**
 * Lays out documents of which some are not cached; `itemStart` is the offset of `"metadata"`, or 0
 * if the whole document is the item. The JSON of a cached object is made when its piece is taken.
 */
export function layOutDocuments(
  documents: readonly { readonly json: Buffer; readonly itemStart: number }[],
): ListLayout {
  const items = documents.map(
    (document): ListItem =>
      document instanceof CacheEntry ? document : new DocumentItem(document.json, document.itemStart),
  );
  const length = items.reduce((sum, { itemLength }) => sum + itemLength, 0);
  const segments = items.length > 0 ? [{ from: 0, to: items.length, length, bytes: undefined }] : [];
  return layoutOf(items, segments, () => undefined);
}

function segmentsOf(objects: readonly CacheEntry[], { gapless, cache }: ListCaching): readonly ListSegment[] {
  const segments: ListSegment[] = [];
  let joined = { from: 0, length: 0 };
  for (let from = 0; from < objects.length; ) {
    const found = (gapless ? undefined : cachedAt(cache, objects, from)) ?? neighboursAt(objects, from);
    if (found.bytes) {
      if (joined.length > 0) segments.push({ ...joined, to: from, bytes: undefined });
      segments.push(found);
      joined = { from: found.to, length: 0 };
    } else joined.length += found.length;
    from = found.to;
  }
  if (joined.length > 0) segments.push({ ...joined, to: objects.length, bytes: undefined });
  return segments;
}

function cachedAt(cache: ListBytesCache, objects: readonly CacheEntry[], from: number): ListSegment | undefined {
  const run = cache.find(objects, from);
  return run && { from, to: from + run.items.length, length: run.bytes.length, bytes: run.bytes };
}

/** The objects from `from` on whose items are consecutive in one slab; at least one object. */
function neighboursAt(objects: readonly CacheEntry[], from: number): ListSegment {
  const first = objects[from];
  const slab = first?.slab;
  if (!slab) return { from, to: from + 1, length: first?.itemLength ?? 0, bytes: undefined };
  const start = first.slabStart;
  let end = start;
  let to = from;
  for (let object = objects[to]; object?.slab === slab && object.slabStart === end; object = objects[++to]) {
    end += object.itemLength;
  }
  const length = end - start;
  return { from, to, length, bytes: length < sentInPlace ? undefined : slab.bytes.subarray(start, end) };
}

/** Called with each piece that was joined, and the items in it. */
type OnJoined<Item> = (items: readonly Item[], bytes: Buffer) => void;

function layoutOf<Item extends ListItem>(
  items: readonly Item[],
  segments: readonly ListSegment[],
  onJoined: OnJoined<Item>,
): ListLayout {
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  return {
    // The first item has no comma before it.
    length: Math.max(0, length - 1),
    pieces: () => piecesOf(items, segments, onJoined),
  };
}

function* piecesOf<Item extends ListItem>(
  items: readonly Item[],
  segments: readonly ListSegment[],
  onJoined: OnJoined<Item>,
): Generator<Buffer> {
  let first = true;
  for (const segment of segments) {
    for (const bytes of segment.bytes ? [segment.bytes] : joinedPieces(items, segment, onJoined)) {
      yield first ? bytes.subarray(1) : bytes;
      first = false;
    }
  }
}

function* joinedPieces<Item extends ListItem>(
  items: readonly Item[],
  segment: ListSegment,
  onJoined: OnJoined<Item>,
): Generator<Buffer> {
  for (let from = segment.from; from < segment.to; ) {
    let to = from;
    let length = 0;
    for (; to < segment.to && length < pieceBytes; to++) length += items[to]?.itemLength ?? 0;
    const some = items.slice(from, to);
    const bytes = join(some, length);
    onJoined(some, bytes);
    yield bytes;
    from = to;
  }
}

/** Joins items. Throws if their lengths are wrong: the buffer would have uninitialised bytes. */
function join(items: readonly ListItem[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const item of items) at = item.copyItem(bytes, at);
  if (at !== length) throw new Error(`the items of a list are ${at} bytes long instead of ${length}`);
  return bytes;
}
