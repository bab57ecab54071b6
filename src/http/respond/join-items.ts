import type { VersionedList, VersionedObject } from '../../registry/registry.ts';
import { itemFront, settleIn } from '../../storage/item-slab.ts';

const bytes = Object.freeze({ comma: 0x2c, openObject: 0x7b, openArray: 0x5b });
const end = Buffer.from(']}\n');
const emptyEnd = Buffer.from('[]}\n');
const nothing = Buffer.alloc(0);

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
    const { to, length, bytes: lying } = runAt(items, from);
    if (lying && length >= sentAsItLies) {
      endCopied(from);
      stretches.push({ from, to, length, bytes: lying });
      copied = { from: to, length: 0 };
    } else copied.length += length;
    from = to;
  }
  endCopied(items.length);
  return stretches;
}

/** The items from one on that lie behind one another in one slab; else the one alone. */
function runAt(items: readonly VersionedObject[], from: number): Stretch {
  const first = items[from];
  const slab = first?.slab;
  if (!slab) return { from, to: from + 1, length: first ? itemLength(first) : 0, bytes: undefined };
  const start = first.slabStart ?? 0;
  let stop = start;
  let to = from;
  for (let item = items[to]; item?.slab === slab && item.slabStart === stop; item = items[++to]) {
    stop += item.itemLength ?? 0;
  }
  return { from, to, length: stop - start, bytes: slab.bytes.subarray(start, stop) };
}

/** The first item's comma falls on the bracket. */
function* pieces(head: Buffer, list: ListItems, stretches: readonly Stretch[], chunkBytes: number): Generator<Buffer> {
  let front = head;
  for (const stretch of stretches) {
    if (!stretch.bytes) {
      yield* copies(front, list, stretch, chunkBytes);
    } else if (stretch.from === 0) {
      yield Buffer.concat([front, Buffer.from('[')]);
      yield stretch.bytes.subarray(1);
    } else yield stretch.bytes;
    front = nothing;
  }
  if (stretches.at(-1)?.bytes) yield end;
}

/** Copies a stretch, in pieces, behind what stands before it; the end of the list with the last item of all. */
function* copies(
  front: Buffer,
  { items, gapless }: ListItems,
  stretch: Stretch,
  chunkBytes: number,
): Generator<Buffer> {
  let before = front;
  for (let from = stretch.from; from < stretch.to; ) {
    let size = before.length;
    let to = from;
    for (; to < stretch.to && size < chunkBytes; to++) size += itemLength(items[to]);
    const last = to === items.length;
    const chunk = Buffer.allocUnsafe(last ? size + end.length : size);
    before.copy(chunk);
    let at = before.length;
    for (let index = from; index < to; index++) at = putItem(chunk, at, items[index]);
    if (from === 0) chunk[before.length] = bytes.openArray;
    if (last) end.copy(chunk, size);
    if (gapless && size >= sentAsItLies) settle(chunk, before.length, items.slice(from, to), from === 0);
    yield chunk;
    [before, from] = [nothing, to];
  }
}

/** Leaves a copy of neighbours to them as their place; not to the first of all, which has a bracket before it here. */
function settle(chunk: Buffer, start: number, items: readonly VersionedObject[], opened: boolean): void {
  const [first] = items;
  if (!opened || !first) return settleIn(chunk, start, items);
  settleIn(chunk, start + itemLength(first), items.slice(1));
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
