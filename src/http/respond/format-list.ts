import type { VersionedObject } from '../../registry/registry.ts';
import type { ListShape } from './list-in-shape.ts';
import { loopShare } from '../request/loop-share.ts';
import type { TextFormat } from './text-format.ts';

/**
 * A chunk is large enough to be written efficiently, and little to keep for a reader that does not
 * read on.
 */
const chunkBytes = 64 * 1024;

/** The items of a list, or of its pages one after the other. */
type ItemGroups = Iterable<readonly VersionedObject[]> | AsyncIterable<readonly VersionedObject[]>;

/**
 * Writes a list in a shape and a format in chunks of about 64 KiB, each made when it is taken. An
 * item is in one chunk. The work is done in the share of the event loop that formatting may take.
 */
export async function* formatList(
  format: TextFormat,
  shape: ListShape,
  groups: ItemGroups,
): AsyncGenerator<Buffer, void, undefined> {
  const { front, between, end, empty } = format.frame(shape);
  let before = front;
  let chunk: Buffer[] = [];
  let size = 0;
  for await (const items of groups) {
    for (const item of items) {
      const text = await formatInShares(() => format.item(shape.itemJson(item)));
      chunk.push(before, ...text);
      before = between;
      size += text.reduce((sum, { length }) => sum + length, 0);
      if (size < chunkBytes) continue;
      yield Buffer.concat(chunk);
      chunk = [];
      size = 0;
    }
  }
  yield Buffer.concat([...chunk, before === front ? empty : end]);
}

/** Makes pieces of text in the share of the event loop that formatting may take. */
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
