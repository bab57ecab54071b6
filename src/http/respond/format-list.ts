import type { ListEncoder } from '../../codec/codec.ts';
import type { Document } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { loopShare } from '../request/loop-share.ts';
import type { KnownBody } from './stream-answer.ts';

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
 * Writes a list in a format in chunks of about 64 KiB, each made when it is taken. An item is in
 * one chunk. The work is done in the share of the event loop that formatting may take. For a format
 * whose lists do not begin with their length.
 */
export async function* formatList(
  encoder: ListEncoder,
  shape: ItemShape,
  groups: ItemGroups,
): AsyncGenerator<Buffer, void, undefined> {
  const writer = new ChunkWriter(encoder);
  for await (const objects of groups) {
    for (const object of objects) {
      const chunk = writer.add(await formatInShares(() => encoder.item(shape(object))));
      if (chunk) yield chunk;
    }
  }
  yield writer.end();
}

/**
 * The same for a format whose lists begin with their length: all items are encoded first, and are
 * in memory together.
 */
export async function measureList(encoder: ListEncoder, shape: ItemShape, groups: ItemGroups): Promise<KnownBody> {
  const parts: Buffer[] = [];
  for await (const objects of groups) {
    for (const object of objects) {
      if (parts.length > 0) parts.push(encoder.join);
      parts.push(...(await formatInShares(() => encoder.item(shape(object)))));
    }
  }
  if (parts.length === 0) return inOnePiece(encoder.empty());
  const head = encoder.head(lengthOf(parts));
  const whole = [head, ...parts, encoder.tail];
  return { length: lengthOf(whole), chunks: inChunks(whole), held: true };
}

/** Joins small parts until they are worth a write. */
function* inChunks(parts: readonly Buffer[]): Generator<Buffer> {
  let chunk: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    chunk.push(part);
    size += part.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    size = 0;
  }
  yield Buffer.concat(chunk);
}

function inOnePiece(bytes: Buffer): KnownBody {
  return { length: bytes.length, chunks: [bytes] };
}

/** Puts the items of a list into chunks. */
class ChunkWriter {
  readonly #encoder: ListEncoder;
  #before: Buffer;
  #empty = true;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(encoder: ListEncoder) {
    this.#encoder = encoder;
    this.#before = encoder.head(0);
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
