/** Removed entries at the front before the array is compacted. */
const compactionLimit = 1024;

/** A queue of items in the order in which they were added; both ends take constant time. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** Adds an item at the end. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the first item; undefined if there is none. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first > compactionLimit && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
