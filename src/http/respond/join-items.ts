import type { VersionedList, VersionedObject } from '../../registry/registry.ts';
import { itemFront, settleIn } from '../../storage/item-slab.ts';
import { type JoinedItems, JoinedSelections } from './joined-items.ts';

const bytes = Object.freeze({ comma: 0x2c, openObject: 0x7b });
const openArray = Buffer.from('[');
const end = Buffer.from(']}\n');
const emptyEnd = Buffer.from('[]}\n');

/** Neighbours that fill so much of a slab are sent from there; what is shorter is copied, for a write of its own costs more. */
const sentAsItLies = 64 * 1024;

type ListItems = Pick<VersionedList, 'items' | 'gapless'>;

/** Items of a list, from one up to another: to be sent from where they lie, or to be copied together. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly bytes: Buffer | undefined;
}

/** What a list is sent as. */
export interface ListLayout {
  /** Bytes of the whole answer, its line feed included. */
  readonly length: number;
  /** The answer in pieces of at most about `chunkBytes`. What lies in memory as a list has it is not copied. */
  readonly pieces: (chunkBytes: number) => Iterable<Buffer>;
}

/** Lays out a list behind its head, which is `{...,"items":`. */
export function layOutList(head: Buffer, list: ListItems): ListLayout {
  if (list.items.length === 0) {
    const body = Buffer.concat([head, emptyEnd]);
    return { length: body.length, pieces: () => [body] };
  }
  const stretches = stretchesOf(list.items);
  const length = stretches.reduce((sum, stretch) => sum + stretch.length, head.length + end.length);
  return { length, pieces: (chunkBytes) => pieces(head, list, stretches, chunkBytes) };
}

function stretchesOf(items: readonly VersionedObject[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let copied = { from: 0, length: 0 };
  const endCopied = (to: number): void => {
    if (to > copied.from) stretches.push({ ...copied, to, bytes: undefined });
  };
  for (let from = 0; from < items.length; ) {
    const { to, length } = runAt(items, from);
    if (length >= sentAsItLies) {
      endCopied(from);
      stretches.push({ from, to, length, bytes: lyingBytes(items[from], length) });
      copied = { from: to, length: 0 };
    } else copied.length += length;
    from = to;
  }
  endCopied(items.length);
  return stretches;
}

/** The items from one on that lie behind one another in one slab; else the one alone. */
function runAt(items: readonly VersionedObject[], from: number): { readonly to: number; readonly length: number } {
  const first = items[from];
  const slab = first?.slab;
  if (!slab) return { to: from + 1, length: itemLength(first) };
  const start = first.slabStart ?? 0;
  let stop = start;
  let to = from;
  for (let item = items[to]; item?.slab === slab && item.slabStart === stop; item = items[++to]) {
    stop += item.itemLength ?? 0;
  }
  return { to, length: stop - start };
}

/** The bytes of a run, where it lies in a slab. */
function lyingBytes(first: VersionedObject | undefined, length: number): Buffer | undefined {
  const start = first?.slabStart ?? 0;
  return first?.slab?.bytes.subarray(start, start + length);
}

/** The first item's comma gives way to the bracket. */
function* pieces(head: Buffer, list: ListItems, stretches: readonly Stretch[], chunkBytes: number): Generator<Buffer> {
  yield Buffer.concat([head, openArray]);
  let first = true;
  for (const stretch of stretches) {
    for (const piece of stretch.bytes ? [stretch.bytes] : copies(list, stretch, chunkBytes)) {
      // Where the first item has its comma, the list has the bracket that has been sent.
      yield first ? piece.subarray(1) : piece;
      first = false;
    }
  }
  yield end;
}

/** Copies a stretch, in pieces. */
function* copies({ items, gapless }: ListItems, stretch: Stretch, chunkBytes: number): Generator<Buffer> {
  for (let from = stretch.from; from < stretch.to; ) {
    const known = gapless ? undefined : joinedSelections.find(items, from);
    const joined = known ?? join(items, from, stretch.to, chunkBytes);
    if (!known && joined.bytes.length >= sentAsItLies) {
      if (gapless) settleIn(joined.bytes, joined.items);
      else joinedSelections.keep(joined);
    }
    yield joined.bytes;
    from += joined.items.length;
  }
}

/** A cache, not state: what objects are joined to follows from their bytes. */
const joinedSelections = new JoinedSelections();

/** Joins items until they reach a size, each with a comma before it. */
function join(items: readonly VersionedObject[], from: number, limit: number, chunkBytes: number): JoinedItems {
  let size = 0;
  let to = from;
  for (; to < limit && size < chunkBytes; to++) size += itemLength(items[to]);
  const chunk = Buffer.allocUnsafe(size);
  let at = 0;
  for (let index = from; index < to; index++) at = putItem(chunk, at, items[index]);
  return { items: items.slice(from, to), bytes: chunk };
}

/** With the comma before it. */
function itemLength(item: VersionedObject | undefined): number {
  if (!item) return 0;
  return item.itemLength ?? item.json.length - item.itemStart + (item.itemStart === 0 ? 1 : itemFront.length);
}

/**
 * Writes an item with its comma; answers where it ends. That takes one copy and two stored bytes: what stands in an object
 * before its metadata makes room for the comma and the brace.
 */
function putItem(chunk: Buffer, at: number, item: VersionedObject | undefined): number {
  if (!item) return at;
  const { slab, slabStart = 0, itemStart } = item;
  if (slab) return at + slab.bytes.copy(chunk, at, slabStart, slabStart + (item.itemLength ?? 0));
  const whole = itemStart < itemFront.length;
  const copied = item.json.copy(chunk, whole ? at + 1 : at, whole ? 0 : itemStart - itemFront.length);
  chunk[at] = bytes.comma;
  if (!whole) chunk[at + 1] = bytes.openObject;
  return at + copied + (whole ? 1 : 0);
}
