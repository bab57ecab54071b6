import type { SplicedObject } from './spliced-object.ts';
import { compareKeys } from './key-order.ts';

/** A stretch of neighbours, with their keys beside them so that a search does not touch the objects. */
interface Leaf {
  readonly keys: string[];
  readonly objects: SplicedObject[];
  /** Who may change it; everybody else copies it first. */
  readonly owner: object;
}

/** Objects of a leaf at most. A change copies one leaf at most, and a thousand leaves can be counted in a microsecond. */
const leafLimit = 256;

/**
 * Objects by key, in the byte order of keys: one list of leaves. Copies are copy-on-write and cost next to nothing. Counting goes
 * by leaves, and a range is cut out of them.
 */
export class ObjectTree {
  #leaves: Leaf[] = [];
  /** Stands for this tree at the leaves that it alone has; another one after each `clone`. */
  #owner: object = {};
  #sharesList = false;
  #size = 0;
  /** Whether strings and bytes order all keys the same. */
  #plain = true;

  get size(): number {
    return this.#size;
  }

  /** A tree with the same objects; changes of one are not seen in the other. */
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

  get(key: string): SplicedObject | undefined {
    const { leaf, at } = this.#find(key);
    const found = this.#leaves[leaf];
    return found?.keys[at] === key ? found.objects[at] : undefined;
  }

  /** Puts an object at its key, whatever was there. */
  set(object: SplicedObject): void {
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

  /** How many keys come before this one. */
  rank(key: string): number {
    const { leaf: place, at } = this.#find(key);
    let rank = at;
    for (let index = 0; index < place; index++) rank += this.#leaves[index]?.keys.length ?? 0;
    return rank;
  }

  /** Calls `visit` with the objects from a key on, leaf by leaf, until it answers false: those at `from` up to `to` in `objects`. */
  visit(range: KeyRange, visit: (objects: readonly SplicedObject[], from: number, to: number) => boolean): void {
    const first = this.#find(range.from);
    const last = this.#find(range.to);
    for (let index = first.leaf; index <= last.leaf; index++) {
      const objects = this.#leaves[index]?.objects ?? [];
      const from = index === first.leaf ? first.at : 0;
      const to = index === last.leaf ? last.at : objects.length;
      if (from < to && !visit(objects, from, to)) return;
    }
  }

  /** Where a key is, or would be put: in the last leaf whose first key is not behind it. */
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

  /** The leaf at a place, made this tree's own; the first one of an empty tree is new. */
  #ownLeaf(place: number): Leaf {
    if (this.#sharesList) this.#leaves = this.#leaves.slice();
    this.#sharesList = false;
    const found = this.#leaves[place];
    if (found?.owner === this.#owner) return found;
    const leaf = { keys: found?.keys.slice() ?? [], objects: found?.objects.slice() ?? [], owner: this.#owner };
    this.#leaves[place] = leaf;
    return leaf;
  }

  /** Keys that come in order fill one leaf after the other; others leave two halves. */
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

  /** Puts what is left of a leaf to the one behind it where both are small. */
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

/** A pair of code units, as characters above U+FFFF are written: only beside these do strings and bytes differ in order. */
const surrogate = /[\ud800-\udfff]/;

function isBefore(a: string, b: string): boolean {
  return a < b;
}

function isBeforeInBytes(a: string, b: string): boolean {
  return compareKeys(a, b) < 0;
}

/** The place of the first key that is not before `key`. */
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

/** A range of keys: from `from`, up to but without `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** All keys that there can be. */
export const everything: KeyRange = Object.freeze({ from: '', to: '\u{10ffff}' });

/** The keys that begin with a prefix that ends in `/`, behind `afterKey` if there is one. */
export function keyRange(prefix: string, afterKey?: string): KeyRange {
  // '0' is the character behind '/', and NUL the first one that can follow a key.
  const to = `${prefix.slice(0, -1)}0`;
  const behind = afterKey === undefined ? prefix : `${afterKey}\0`;
  return { from: compareKeys(behind, prefix) < 0 ? prefix : behind, to };
}

/** The first objects of a range, in order; `limit` 0 is no limit. */
export function objectsIn(tree: ObjectTree, range: KeyRange, limit = 0): SplicedObject[] {
  const found: SplicedObject[] = [];
  if (compareKeys(range.from, range.to) >= 0) return found;
  tree.visit(range, (objects, from, to) => {
    const end = limit > 0 ? Math.min(to, from + limit - found.length) : to;
    found.push(...objects.slice(from, end));
    return limit === 0 || found.length < limit;
  });
  return found;
}

/** How many objects a range has, without looking at each. */
export function countRange(tree: ObjectTree, { from, to }: KeyRange): number {
  return compareKeys(from, to) >= 0 ? 0 : tree.rank(to) - tree.rank(from);
}

/** Whether a key lies in a range. */
export function isInRange(key: string, { from, to }: KeyRange): boolean {
  return compareKeys(key, from) >= 0 && compareKeys(key, to) < 0;
}

/** Two lists of objects in the order of keys as one. No key may be in both. */
export function mergeByKey(a: readonly SplicedObject[], b: readonly SplicedObject[]): readonly SplicedObject[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const merged: SplicedObject[] = [];
  let inB = 0;
  for (const object of a) {
    for (let other = b[inB]; other && compareKeys(other.key, object.key) < 0; other = b[++inB]) merged.push(other);
    merged.push(object);
  }
  return merged.concat(b.slice(inB));
}
