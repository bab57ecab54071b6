import type { VersionedObject } from '../../registry/registry.ts';

const bytes = Object.freeze({ comma: 0x2c, openObject: 0x7b, openArray: 0x5b });
const end = Buffer.from(']}\n');
const emptyEnd = Buffer.from('[]}\n');

/** How long a list is whose head is `{...,"items":`, its array and its line feed included. */
export function listLength(head: Buffer, items: readonly VersionedObject[]): number {
  if (items.length === 0) return head.length + emptyEnd.length;
  let length = head.length + end.length;
  for (const item of items) length += itemLength(item);
  return length;
}

/**
 * A list in pieces of about `chunkBytes`, or a little more. Each item costs one copy and two stored bytes: what stands in an
 * object before its metadata makes room for the comma and the brace of the item.
 */
export function* joinItems(head: Buffer, items: readonly VersionedObject[], chunkBytes: number): Generator<Buffer> {
  if (items.length === 0) {
    yield Buffer.concat([head, emptyEnd]);
    return;
  }
  let prefix = head;
  for (let from = 0; from < items.length; ) {
    let size = prefix.length;
    let to = from;
    while (to < items.length && size < chunkBytes) size += itemLength(items[to++]);
    const suffix = to === items.length ? end.length : 0;
    const chunk = Buffer.allocUnsafe(size + suffix);
    prefix.copy(chunk);
    let at = prefix.length;
    for (let index = from; index < to; index++) at = putItem(chunk, at, items[index], index === 0);
    if (suffix > 0) end.copy(chunk, at);
    yield chunk;
    [prefix, from] = [nothing, to];
  }
}

const nothing = Buffer.alloc(0);

/** With the comma, or the bracket, before it. */
function itemLength(item: VersionedObject | undefined): number {
  if (!item) return 0;
  return item.itemStart === 0 ? item.json.length + 1 : item.json.length - item.itemStart + 2;
}

/** Writes an item with what stands before it; answers where it ends. */
function putItem(chunk: Buffer, at: number, item: VersionedObject | undefined, first: boolean): number {
  if (!item) return at;
  const { json, itemStart } = item;
  const whole = itemStart < 2;
  const copied = json.copy(chunk, whole ? at + 1 : at, whole ? 0 : itemStart - 2);
  chunk[at] = first ? bytes.openArray : bytes.comma;
  if (!whole) chunk[at + 1] = bytes.openObject;
  return at + copied + (whole ? 1 : 0);
}
