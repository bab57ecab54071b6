import type { ListEncoder } from '../../codec/codec.ts';
import type { Document } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { loopShare } from '../request/loop-share.ts';

/**
 * A chunk is large enough to be written efficiently, and little to keep for a reader that does not
 * read on.
 */
const chunkBytes = 64 * 1024;

/** The items of a list, or of its pages one after the other. */
type ItemGroups = Iterable<readonly VersionedObject[]> | AsyncIterable<readonly VersionedObject[]>;

/** The document of an item, in the shape of the list. */
type ItemShape = (object: VersionedObject) => Document;

/**
 * Writes a list in a format in chunks of about 64 KiB, each made when it is taken. An item is in one
 * chunk. The work is done in the share of the event loop that formatting may take.
 */
export async function* formatList(
  encoder: ListEncoder,
  shape: ItemShape,
  groups: ItemGroups,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoder.sized) {
    yield* formatSized(encoder, shape, groups);
    return;
  }
  const writer = new ChunkWriter(encoder, 0);
  for await (const objects of groups) {
    for (const object of objects) {
      const chunk = writer.add(await formatInShares(() => encoder.item(shape(object))));
      if (chunk) yield chunk;
    }
  }
  yield writer.end();
}

/** The same where the length of the items comes first: all of them are encoded before the first chunk is there. */
async function* formatSized(
  encoder: ListEncoder,
  shape: ItemShape,
  groups: ItemGroups,
): AsyncGenerator<Buffer, void, undefined> {
  const items: (readonly Buffer[])[] = [];
  let length = 0;
  for await (const objects of groups) {
    for (const object of objects) {
      const item = await formatInShares(() => encoder.item(shape(object)));
      length += lengthOf(item) + (items.length > 0 ? encoder.join.length : 0);
      items.push(item);
    }
  }
  const writer = new ChunkWriter(encoder, length);
  for (const item of items) {
    const chunk = writer.add(item);
    if (chunk) yield chunk;
  }
  yield writer.end();
}

/** Puts the items of a list into chunks. */
class ChunkWriter {
  readonly #encoder: ListEncoder;
  #before: Buffer;
  #empty = true;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(encoder: ListEncoder, itemsLength: number) {
    this.#encoder = encoder;
    this.#before = encoder.head(itemsLength);
  }

  /** Adds an item; returns the chunk that it completes. */
  add(item: readonly Buffer[]): Buffer | undefined {
    this.#parts.push(this.#before, ...item);
    this.#before = this.#encoder.join;
    this.#empty = false;
    this.#size += lengthOf(item);
    if (this.#size < chunkBytes) return undefined;
    const chunk = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return chunk;
  }

  /** The last chunk. */
  end(): Buffer {
    return Buffer.concat([...this.#parts, this.#empty ? this.#encoder.empty() : this.#encoder.tail]);
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Makes pieces of an encoding in the share of the event loop that formatting may take. */
export async function formatInShares(begin: () => Iterable<Buffer>): Promise<readonly Buffer[]> {
  await loopShare.take();
  const pieces: Buffer[] = [];
  for (const piece of begin()) {
    pieces.push(piece);
    const turn = loopShare.take();
    if (turn) await turn;
  }
  return pieces;
}
