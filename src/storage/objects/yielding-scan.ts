import { nextTurn } from '../../async/yield-if-long.ts';
import { checkSignal } from '../port/check-arguments.ts';
import { type KeyRange, type ObjectTree, objectsIn } from './object-tree.ts';
import type { CachedObject } from './cached-object.ts';

/**
 * Objects per turn of the event loop. Few, because a selector decodes an object on its first match.
 */
const objectsPerTurn = 256;

/** Bytes of objects per turn, for the same reason: some 10 ms. */
const bytesPerTurn = 512 * 1024;

/** Objects per turn if all of them were decoded before. */
const knownPerTurn = 4096;

/**
 * Yields the objects of a range in portions, with a turn of the event loop between them. The tree
 * must be a snapshot.
 */
export async function* scanRange(
  tree: ObjectTree,
  range: KeyRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly CachedObject[]> {
  for (let from: string | undefined = range.from; from !== undefined; ) {
    checkSignal(signal);
    const some = objectsIn(tree, { from, to: range.to }, objectsPerTurn);
    if (some.length > 0) yield some;
    const last = some.length === objectsPerTurn ? some.at(-1) : undefined;
    from = last && `${last.key}\0`;
    if (from) await nextTurn();
  }
}

/**
 * Like `scanRange`, in smaller portions where objects are large: for a reader that decodes each
 * portion in one turn.
 */
export async function* scanPortions(
  tree: ObjectTree,
  range: KeyRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly CachedObject[]> {
  for await (const objects of scanRange(tree, range, signal)) yield* portionsOf(objects, signal);
}

/** Splits objects of which some are large, with a turn between the portions. */
async function* portionsOf(
  objects: readonly CachedObject[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly CachedObject[]> {
  for (let from = 0; from < objects.length; ) {
    if (from > 0) {
      await nextTurn();
      checkSignal(signal);
    }
    let to = from;
    for (let bytes = 0; to < objects.length && bytes < bytesPerTurn; to++) bytes += objects[to]?.size ?? 0;
    yield from === 0 && to === objects.length ? objects : objects.slice(from, to);
    from = to;
  }
}

/** Yields objects that were decoded before, in larger portions. */
export async function* scanDecoded(
  objects: readonly CachedObject[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly CachedObject[]> {
  for (let from = 0; from < objects.length; from += knownPerTurn) {
    if (from > 0) await nextTurn();
    checkSignal(signal);
    yield from === 0 && objects.length <= knownPerTurn ? objects : objects.slice(from, from + knownPerTurn);
  }
}
