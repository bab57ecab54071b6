import type { CachedObject } from './cached-object.ts';
import { compareKeys } from '../port/key-order.ts';

/**
 * A run of neighbouring objects. Their keys are in an array of their own, so that a search does not
 * touch the objects.
 */
interface Leaf {
  readonly keys: string[];
  readonly objects: CachedObject[];
  /** The tree that may change the leaf; any other tree copies it first. */
  readonly owner: object;
}

/**
 * Maximum number of objects in a leaf. A change copies at most one leaf, and a thousand leaves are
 * counted in a microsecond.
 */
const leafLimit = 256;

/**
 * Objects by key in byte order, as one list of leaves. Copies are copy-on-write and cheap. Counting
 * a range adds up leaf sizes.
 */
export class ObjectTree {
  #leaves: Leaf[] = [];
  /** Identifies this tree as the owner of its leaves; `clone` replaces it. */
  #owner: object = {};
  #sharesList = false;
  #size = 0;
  /** True if JavaScript's string order equals byte order for all keys. */
  #plain = true;

  get size(): number {
    return this.#size;
  }

  /** Returns a tree with the same objects; later changes of one do not affect the other. */
  clone(): ObjectTree {
    const copy = new ObjectTree();
    copy.#leaves = this.#leaves;
    copy.#size = this.#size;
    copy.#plain = this.#plain;
    copy.#sharesList = true;
    this.#sharesList = true;
    this.#owner = {};
    return copy;
  }

  get(key: string): CachedObject | undefined {
    const { leaf, at } = this.#find(key);
    const found = this.#leaves[leaf];
    return found?.keys[at] === key ? found.objects[at] : undefined;
  }

  /** Inserts or replaces the object at its key. */
  set(object: CachedObject): void {
    const { key } = object;
    this.#plain &&= !surrogate.test(key);
    const { leaf: place, at } = this.#find(key);
    const leaf = this.#ownLeaf(place);
    if (leaf.keys[at] === key) {
      leaf.objects[at] = object;
      return;
    }
    leaf.keys.splice(at, 0, key);
    leaf.objects.splice(at, 0, object);
    this.#size++;
    if (leaf.keys.length > leafLimit) this.#split(place, leaf, at);
  }

  delete(key: string): void {
    const { leaf: place, at } = this.#find(key);
    if (this.#leaves[place]?.keys[at] !== key) return;
    const leaf = this.#ownLeaf(place);
    leaf.keys.splice(at, 1);
    leaf.objects.splice(at, 1);
    this.#size--;
    this.#join(place, leaf);
  }

  /** The number of keys before this one. */
  rank(key: string): number {
    const { leaf: place, at } = this.#find(key);
    let rank = at;
    for (let index = 0; index < place; index++) rank += this.#leaves[index]?.keys.length ?? 0;
    return rank;
  }

  /**
   * Calls `visit` with the objects of a range, leaf by leaf, until it returns false: those at
   * `from` up to but without `to` in `objects`.
   */
  visit(range: KeyRange, visit: (objects: readonly CachedObject[], from: number, to: number) => boolean): void {
    const first = this.#find(range.from);
    const last = this.#find(range.to);
    for (let index = first.leaf; index <= last.leaf; index++) {
      const objects = this.#leaves[index]?.objects ?? [];
      const from = index === first.leaf ? first.at : 0;
      const to = index === last.leaf ? last.at : objects.length;
      if (from < to && !visit(objects, from, to)) return;
    }
  }

  /**
   * Finds the position of a key, or where to insert it: in the last leaf whose first key is not
   * after it.
   */
  #find(key: string): { readonly leaf: number; readonly at: number } {
    const before = this.#plain && !surrogate.test(key) ? isBefore : isBeforeInBytes;
    let low = 0;
    let high = this.#leaves.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(key, this.#leaves[middle]?.keys[0] ?? '')) high = middle;
      else low = middle + 1;
    }
    const leaf = Math.max(low - 1, 0);
    return { leaf, at: lowerBound(this.#leaves[leaf]?.keys ?? [], key, before) };
  }

  /** The leaf at an index, copied first unless this tree owns it; new in an empty tree. */
  #ownLeaf(place: number): Leaf {
    if (this.#sharesList) this.#leaves = this.#leaves.slice();
    this.#sharesList = false;
    const found = this.#leaves[place];
    if (found?.owner === this.#owner) return found;
    const leaf = { keys: found?.keys.slice() ?? [], objects: found?.objects.slice() ?? [], owner: this.#owner };
    this.#leaves[place] = leaf;
    return leaf;
  }

  /**
   * Splits a full leaf. Appended keys leave a full leaf and a new one; any other insert leaves two
   * halves.
   */
  #split(place: number, { keys, objects }: Leaf, at: number): void {
    const appended = at === leafLimit && place === this.#leaves.length - 1;
    const cut = appended ? leafLimit : leafLimit >>> 1;
    const owner = this.#owner;
    this.#leaves.splice(
      place,
      1,
      { keys: keys.slice(0, cut), objects: objects.slice(0, cut), owner },
      { keys: keys.slice(cut), objects: objects.slice(cut), owner },
    );
  }

  /** Removes an empty leaf; merges a small one with a small leaf after it. */
  #join(place: number, leaf: Leaf): void {
    const next = this.#leaves[place + 1];
    if (leaf.keys.length === 0) this.#leaves.splice(place, 1);
    else if (next && leaf.keys.length + next.keys.length <= leafLimit >>> 1) {
      leaf.keys.push(...next.keys);
      leaf.objects.push(...next.objects);
      this.#leaves.splice(place + 1, 1);
    }
  }
}

type Before = (a: string, b: string) => boolean;

/**
 * A UTF-16 surrogate, half of a character above U+FFFF: only with these do string order and byte
 * order differ.
 */
const surrogate = /[\ud800-\udfff]/;

function isBefore(a: string, b: string): boolean {
  return a < b;
}

function isBeforeInBytes(a: string, b: string): boolean {
  return compareKeys(a, b) < 0;
}

/** Index of the first key that is not before `key`. */
function lowerBound(keys: readonly string[], key: string, before: Before): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(keys[middle] ?? '', key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A range of keys: from `from` (inclusive) to `to` (exclusive). */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** The range of all keys. */
export const everything: KeyRange = Object.freeze({ from: '', to: '\u{10ffff}' });

/** The keys with a prefix that ends in `/`; only those after `afterKey` if it is given. */
export function keyRange(prefix: string, afterKey?: string): KeyRange {
  // '0' is the character after '/', and NUL the first one that can follow a key.
  const to = `${prefix.slice(0, -1)}0`;
  const behind = afterKey === undefined ? prefix : `${afterKey}\0`;
  return { from: compareKeys(behind, prefix) < 0 ? prefix : behind, to };
}

/** The first objects of a range in key order; `limit` 0 means no limit. */
export function objectsIn(tree: ObjectTree, range: KeyRange, limit = 0): CachedObject[] {
  const found: CachedObject[] = [];
  if (compareKeys(range.from, range.to) >= 0) return found;
  tree.visit(range, (objects, from, to) => {
    const end = limit > 0 ? Math.min(to, from + limit - found.length) : to;
    found.push(...objects.slice(from, end));
    return limit === 0 || found.length < limit;
  });
  return found;
}

/** The number of objects in a range, without visiting each. */
export function countRange(tree: ObjectTree, { from, to }: KeyRange): number {
  return compareKeys(from, to) >= 0 ? 0 : tree.rank(to) - tree.rank(from);
}

/** True if a key is in a range. */
export function isInRange(key: string, { from, to }: KeyRange): boolean {
  return compareKeys(key, from) >= 0 && compareKeys(key, to) < 0;
}

/** Merges two lists in key order. No key may be in both. */
export function mergeByKey(a: readonly CachedObject[], b: readonly CachedObject[]): readonly CachedObject[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const merged: CachedObject[] = [];
  let inB = 0;
  for (const object of a) {
    for (let other = b[inB]; other && compareKeys(other.key, object.key) < 0; other = b[++inB]) merged.push(other);
    merged.push(object);
  }
  return merged.concat(b.slice(inB));
}
