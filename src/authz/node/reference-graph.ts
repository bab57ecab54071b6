/** An object refers to another one, or runs on a node. */
export interface Reference {
  /** The object that may be read because of the reference. */
  readonly target: string;
  /** The node, or the object whose readers may read the target. */
  readonly holder: string;
}

/**
 * The references between objects and nodes, which change one object at a time. A node may read
 * what its pods refer to: a Secret, or a claim, whose volume refers to a Secret in turn.
 */
export class ReferenceGraph {
  /** The references that an object has, by the key of the object. */
  readonly #references = new Map<string, readonly Reference[]>();
  /** The holders of each target, with the number of references. */
  readonly #holders = new Map<string, Map<string, number>>();

  /** Replaces the references of an object; none if it was deleted. */
  set(key: string, references: readonly Reference[]): void {
    const previous = this.#references.get(key) ?? [];
    if (isEqual(previous, references)) return;
    for (const reference of references) this.#add(reference);
    for (const reference of previous) this.#remove(reference);
    if (references.length > 0) this.#references.set(key, references);
    else this.#references.delete(key);
  }

  /** Reports whether a node holds a target, or an object that does. References have no cycles. */
  reaches(target: string, node: string): boolean {
    const holders = this.#holders.get(target);
    if (!holders) return false;
    if (holders.has(node)) return true;
    for (const holder of holders.keys()) if (this.reaches(holder, node)) return true;
    return false;
  }

  #add({ target, holder }: Reference): void {
    const holders = this.#holders.get(target) ?? new Map<string, number>();
    holders.set(holder, (holders.get(holder) ?? 0) + 1);
    this.#holders.set(target, holders);
  }

  #remove({ target, holder }: Reference): void {
    const holders = this.#holders.get(target);
    const count = holders?.get(holder);
    if (!holders || count === undefined) return;
    if (count > 1) holders.set(holder, count - 1);
    else holders.delete(holder);
    if (holders.size === 0) this.#holders.delete(target);
  }
}

function isEqual(left: readonly Reference[], right: readonly Reference[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ target, holder }, index) => target === right[index]?.target && holder === right[index]?.holder)
  );
}
