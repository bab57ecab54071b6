import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ListEncoder, Receiver } from '../../codec/codec.ts';
import type { Document } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';
import type { JoinedItems } from '../../storage/objects/list-bytes-cache.ts';
import { formattingBudget } from '../../http-protocol/requests/time-budget.ts';
import type { KnownBody } from '../../http-protocol/responses/stream-response.ts';

/**
 * The size of a chunk: large enough for efficient writes, small enough to buffer for a stuck
 * reader.
 */
const chunkBytes = 64 * 1024;

/** The items of a list, or of its pages in sequence. */
type ItemGroups = Iterable<readonly VersionedObject[]> | AsyncIterable<readonly VersionedObject[]>;

/**
 * The maximum length of JSON that is encoded in one turn of the event loop, in some 10 ms of work
 * as YAML. Longer documents are encoded in a thread by a format that has one.
 */
export const encodedAtOnceBytes = 16 * 1024;

/** The items to be encoded. */
export interface ListSource {
  readonly receiver: Receiver;
  readonly groups: ItemGroups;
  /** Converts an item to a document in the shape of the list. */
  readonly shape: (object: VersionedObject) => Document;
  /** The cache of joined items, if there is one group and its encoding may be cached. */
  readonly cache?: { readonly joined: JoinedItems; readonly format: string } | undefined;
}

/**
 * Encodes a list in chunks of about 64 KiB, each created when the previous one is taken. An item is
 * never divided between chunks. The work runs within the time limit for formatting
 * (`formattingBudget`). For formats whose lists do not start with their length (`sized` is false).
 */
export async function* formatList(encoder: ListEncoder, source: ListSource): AsyncGenerator<Buffer, void, undefined> {
  const parts = [encoder.head(0)];
  let empty = true;
  for await (const chunk of joinedChunks(encoder, source)) {
    if (!empty) parts.push(encoder.join);
    empty = false;
    parts.push(chunk.take());
    if (lengthOf(parts) >= chunkBytes) yield Buffer.concat(parts.splice(0));
  }
  yield empty ? encoder.empty() : Buffer.concat([...parts, encoder.tail]);
}

/**
 * Encodes a list as `formatList` does, for formats whose lists start with their length: all items
 * are encoded first, and are in memory together.
 */
export async function measureList(encoder: ListEncoder, source: ListSource): Promise<KnownBody> {
  const parts: Buffer[] = [];
  for await (const chunk of joinedChunks(encoder, source)) {
    if (parts.length > 0 && encoder.join.length > 0) parts.push(encoder.join);
    parts.push(chunk.take());
  }
  if (parts.length === 0) return inOnePiece(encoder.empty());
  const head = encoder.head(lengthOf(parts));
  const whole = [head, ...parts, encoder.tail];
  return { length: lengthOf(whole), chunks: whole, held: true };
}

/** Encodes the items in chunks, with joins between the items of a chunk and none between chunks. */
async function* joinedChunks(encoder: ListEncoder, { groups, ...source }: ListSource): AsyncGenerator<JoinedChunk> {
  const { cache } = source;
  const join = encoder.itemsInThread ? joinedInThread : joinedFrom;
  for await (const objects of groups) {
    for (let from = 0; from < objects.length; ) {
      const known = cache?.joined.find(cache.format, from);
      const chunk = known ? new JoinedChunk(known) : await join(encoder, { ...source, objects, from });
      from += chunk.count;
      yield chunk;
    }
  }
}

/** Joins items from index `from` on, up to the size of a chunk or the next joined items. */
async function joinedFrom(encoder: ListEncoder, { objects, shape, cache, from }: ItemsFrom): Promise<JoinedChunk> {
  const chunk = new ChunkWriter(encoder.join);
  let to = from;
  do {
    const object = objects[to++];
    const item = object ? formatInShares(() => encoder.item(shape(object))) : [];
    chunk.add(item instanceof Promise ? await item : item);
  } while (to < objects.length && chunk.size < chunkBytes && !cache?.joined.find(cache.format, to));
  const bytes = chunk.joined();
  cache?.joined.keep(cache.format, from, to, bytes);
  return new JoinedChunk({ count: to - from, bytes });
}

/**
 * Joins items from index `from` on, until their JSON has the size of a chunk. The thread encodes
 * them together, except a few short ones.
 */
async function joinedInThread(
  encoder: ListEncoder,
  { objects, shape, receiver, from }: ItemsFrom,
): Promise<JoinedChunk> {
  const documents: Document[] = [];
  let size = 0;
  for (let object = objects[from]; object && size < chunkBytes; object = objects[from + documents.length]) {
    const item = object;
    const document = await formatInShares(() => shape(item));
    documents.push(document);
    size += document.size ?? document.json.length;
  }
  const inThread = size > encodedAtOnceBytes ? encoder.itemsInThread?.(documents, receiver) : undefined;
  const joined = inThread ?? formatInShares(() => Buffer.concat(documents.flatMap((each) => encoder.item(each))));
  return new JoinedChunk({ count: documents.length, bytes: await joined });
}

/** Joined items. Their bytes are taken out: a suspended generator keeps its variables alive. */
class JoinedChunk {
  readonly count: number;
  #bytes: Buffer;

  constructor({ count, bytes }: { readonly count: number; readonly bytes: Buffer }) {
    this.count = count;
    this.#bytes = bytes;
  }

  /** Returns the bytes, once. */
  take(): Buffer {
    const bytes = this.#bytes;
    this.#bytes = noBytes;
    return bytes;
  }
}

const noBytes = Buffer.alloc(0);

/** The objects of a group from an index on. */
interface ItemsFrom extends Omit<ListSource, 'groups'> {
  readonly objects: readonly VersionedObject[];
  readonly from: number;
}

function inOnePiece(bytes: Buffer): KnownBody {
  return { length: bytes.length, chunks: [bytes] };
}

/** Collects items into a chunk. */
class ChunkWriter {
  readonly #join: Buffer;
  readonly #parts: Buffer[] = [];
  size = 0;

  constructor(join: Buffer) {
    this.#join = join;
  }

  add(item: readonly Buffer[]): void {
    if (this.#parts.length > 0 && this.#join.length > 0) this.#parts.push(this.#join);
    for (const piece of item) {
      this.#parts.push(piece);
      this.size += piece.length;
    }
  }

  /**
   * Returns the chunk as a copy: a piece may be the start of a larger buffer. Not from Node's
   * shared pool, because the chunk may be cached.
   */
  joined(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(lengthOf(this.#parts));
    let at = 0;
    for (const part of this.#parts) at += part.copy(bytes, at);
    return bytes;
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Formats a response or a part of it within the time limit for formatting. */
export function formatInShares<Formatted>(format: () => Formatted): MaybePromise<Formatted> {
  const turn = formattingBudget.take();
  return turn ? turn.then(format) : format();
}
