import type { ListEncoder } from '../../codec/codec.ts';
import type { Document } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { formattingBudget } from '../request/time-budget.ts';
import type { KnownBody } from './stream-response.ts';

/**
 * The size of a chunk: large enough for efficient writes, small enough to buffer for a stuck
 * reader.
 */
const chunkBytes = 64 * 1024;

/** The items of a list, or of its pages in sequence. */
type ItemGroups = Iterable<readonly VersionedObject[]> | AsyncIterable<readonly VersionedObject[]>;

/** Converts an item to a document in the shape of the list. */
type ItemShape = (object: VersionedObject) => Document;

/**
 * Encodes a list in chunks of about 64 KiB, each created when the previous one is taken. An item is
 * never divided between chunks. The work runs within the time limit for formatting
 * (`formattingBudget`). For formats whose lists do not start with their length (`sized` is false).
 */
export async function* formatList(
  encoder: ListEncoder,
  shape: ItemShape,
  groups: ItemGroups,
): AsyncGenerator<Buffer, void, undefined> {
  const writer = new ChunkWriter(encoder);
  for await (const objects of groups) {
    for (const object of objects) {
      const turn = formattingBudget.take();
      if (turn) await turn;
      const item = encoder.item(shape(object));
      // Most items are in one piece, and a promise for each would cost more than they do.
      const chunk = writer.add(isList(item) ? item : await takeInShares(item));
      if (chunk) yield chunk;
    }
  }
  yield writer.end();
}

/**
 * Encodes a list as `formatList` does, for formats whose lists start with their length: all items
 * are encoded first, and are in memory together.
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

/** Joins small parts into chunks of an efficient size. */
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

/** Collects the items of a list into chunks. */
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

  /** Adds an item. Returns a chunk once it is large enough. */
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

  /** Returns the last chunk. */
  end(): Buffer {
    return Buffer.concat([...this.#parts, this.#empty ? this.#encoder.empty() : this.#encoder.tail]);
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Creates the pieces of an encoding within the time limit for formatting. */
export async function formatInShares(begin: () => Iterable<Buffer>): Promise<readonly Buffer[]> {
  await formattingBudget.take();
  return takeInShares(begin());
}

/** `Array.isArray` that keeps the type of the items. */
function isList(item: Iterable<Buffer>): item is readonly Buffer[] {
  return Array.isArray(item);
}

async function takeInShares(item: Iterable<Buffer>): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for (const piece of item) {
    pieces.push(piece);
    const turn = formattingBudget.take();
    if (turn) await turn;
  }
  return pieces;
}
