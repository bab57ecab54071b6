/** An object refers to another one, or runs on a node. */
export interface Reference {
  /** The object that may be read because of the reference. */
  readonly target: string;
  /** The node, or the object whose readers may read the target. */
  readonly holder: string;
}

/** A target with more holders is searched for from the node, whose pods are fewer. */
const manyHolders = 64;

/**
 * The references between objects and nodes, which change one object at a time. A node may read the
 * objects that its pods refer to: a Secret, or a claim, whose volume refers to a Secret in turn.
 */
export class ReferenceGraph {
  /** The references that an object has, by the key of the object. */
  readonly #references = new Map<string, readonly Reference[]>();
  readonly #holdersOf = new CountedPairs();
  readonly #targetsOf = new CountedPairs();

  /** Replaces the references of an object; none if it was deleted. */
  set(key: string, references: readonly Reference[]): void {
    const previous = this.#references.get(key) ?? [];
    if (isEqual(previous, references)) return;
    for (const { target, holder } of references) {
      this.#holdersOf.add(target, holder);
      this.#targetsOf.add(holder, target);
    }
    for (const { target, holder } of previous) {
      this.#holdersOf.remove(target, holder);
      this.#targetsOf.remove(holder, target);
    }
    if (references.length > 0) this.#references.set(key, references);
    else this.#references.delete(key);
  }

  /** Reports whether a node holds a target, or an object that does. References have no cycles. */
  reaches(target: string, node: string): boolean {
    const holders = this.#holdersOf.of(target);
    if (!holders) return false;
    if (holders.has(node)) return true;
    if (holders.size > manyHolders) return this.#holds(node, holders);
    for (const holder of holders.keys()) if (this.reaches(holder, node)) return true;
    return false;
  }

  /** Reports whether a holder holds one of the wanted objects, directly or not. */
  #holds(holder: string, wanted: ReadonlyMap<string, number>): boolean {
    for (const target of this.#targetsOf.of(holder)?.keys() ?? []) {
      if (wanted.has(target) || this.#holds(target, wanted)) return true;
    }
    return false;
  }
}

/** Pairs of names that are found by the first one, with the number of times they were added. */
class CountedPairs {
  readonly #counts = new Map<string, Map<string, number>>();

  /** The second names of a first one; undefined without any. */
  of(first: string): ReadonlyMap<string, number> | undefined {
    return this.#counts.get(first);
  }

  /** Adds a pair. */
  add(first: string, second: string): void {
    const counts = this.#counts.get(first) ?? new Map<string, number>();
    counts.set(second, (counts.get(second) ?? 0) + 1);
    this.#counts.set(first, counts);
  }

  /** Removes a pair once. */
  remove(first: string, second: string): void {
    const counts = this.#counts.get(first);
    const count = counts?.get(second);
    if (!counts || count === undefined) return;
    if (count > 1) counts.set(second, count - 1);
    else counts.delete(second);
    if (counts.size === 0) this.#counts.delete(first);
  }
}

function isEqual(left: readonly Reference[], right: readonly Reference[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ target, holder }, index) => target === right[index]?.target && holder === right[index]?.holder)
  );
}
