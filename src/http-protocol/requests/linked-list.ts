/** An entry of a list, returned by `add` and passed to `remove`. */
interface LiveEntry<T> {
  readonly value: T;
}

interface Node<T> extends LiveEntry<T> {
  before: Node<T> | undefined;
  after: Node<T> | undefined;
  listed: boolean;
}

/**
 * A linked list of values that are added and removed with every request, in insertion order. Used
 * in place of a Set for the sake of garbage collection.
 * A Set links each outgrown table to its successor. Once such a table is in V8's old space, the
 * contents of later tables survive until a full collection and are promoted too. That took 11 of 37
 * µs of a small request. A removed entry of this list has no references.
 */
export class LinkedList<T> {
  #first: Node<T> | undefined;
  #last: Node<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The oldest entry. */
  get first(): LiveEntry<T> | undefined {
    return this.#first;
  }

  /** Appends a value. */
  add(value: T): LiveEntry<T> {
    const node: Node<T> = { value, before: this.#last, after: undefined, listed: true };
    if (this.#last) this.#last.after = node;
    else this.#first = node;
    this.#last = node;
    this.#size++;
    return node;
  }

  /** Removes an entry of this list. Does nothing if it was removed before. */
  remove(entry: LiveEntry<T>): void {
    // Entries are created by `add` only.
    const node = entry as Node<T>;
    if (!node.listed) return;
    if (node.before) node.before.after = node.after;
    else this.#first = node.after;
    if (node.after) node.after.before = node.before;
    else this.#last = node.before;
    node.before = undefined;
    node.after = undefined;
    node.listed = false;
    this.#size--;
  }

  /** Calls a function with each value. The function may remove that value. */
  forEach(visit: (value: T) => void): void {
    for (let node = this.#first, after: Node<T> | undefined; node; node = after) {
      after = node.after;
      visit(node.value);
    }
  }

  /** Returns a copy of the current values. */
  values(): readonly T[] {
    const values: T[] = [];
    for (let node = this.#first; node; node = node.after) values.push(node.value);
    return values;
  }
}
