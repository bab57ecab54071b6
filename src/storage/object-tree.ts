import sortedBtree from 'sorted-btree';
import type { SplicedObject } from './spliced-object.ts';
import { compareKeys } from './key-order.ts';

/** Objects by key, in the byte order of keys. `clone()` is copy-on-write and costs next to nothing. */
export type ObjectTree = InstanceType<typeof sortedBtree.default<string, SplicedObject>>;

/** An empty tree. */
export function newObjectTree(): ObjectTree {
  return new sortedBtree.default<string, SplicedObject>(undefined, compareFast);
}

/** A pair of code units, as characters above U+FFFF are written: only beside these do strings and bytes differ in order. */
const surrogate = /[\ud800-\udfff]/;

/**
 * `compareKeys`, by the engine's own comparison wherever that has the same order. Keys are nearly always Latin-1, of which
 * the engine knows without a look that the pattern cannot match.
 */
function compareFast(a: string, b: string): number {
  if (surrogate.test(a) || surrogate.test(b)) return compareKeys(a, b);
  if (a < b) return -1;
  return a === b ? 0 : 1;
}

/** A range of keys: from `from`, up to but without `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** The keys that begin with a prefix that ends in `/`, behind `afterKey` if there is one. */
export function keyRange(prefix: string, afterKey?: string): KeyRange {
  // '0' is the character behind '/', and NUL the first one that can follow a key.
  const to = `${prefix.slice(0, -1)}0`;
  const behind = afterKey === undefined ? prefix : `${afterKey}\0`;
  return { from: compareKeys(behind, prefix) < 0 ? prefix : behind, to };
}

/** Calls `visit` with each object of a range, in order, until it answers false. */
export function visitRange(tree: ObjectTree, range: KeyRange, visit: (object: SplicedObject) => boolean): void {
  if (compareKeys(range.from, range.to) >= 0) return;
  tree.forRange(range.from, range.to, false, (_key, object) => (visit(object) ? undefined : { break: 0 }));
}

/** How many objects a range has, without looking at each. */
export function countRange(tree: ObjectTree, range: KeyRange): number {
  if (compareKeys(range.from, range.to) >= 0) return 0;
  return tree.forRange(range.from, range.to, false);
}
