/** Objects with more keys than this are checked with a set instead of by comparing. */
const smallObject = 24;

/**
 * The keys of the objects that are open while a document is scanned, to find out whether one of them stands twice.
 * Keys are remembered by their place in the document; nothing is copied.
 */
export class OpenKeys {
  /** Whether two keys of one object may have been the same. May be wrong for large objects only, and only when true. */
  repeated = false;
  readonly #bytes: Buffer;
  /** Start and end of every key of every open object. */
  readonly #places: number[] = [];
  #first = 0;
  /** A bit for each kind of key that the innermost object has: most new keys differ from all others at a glance. */
  #mask = 0;
  #set: Set<number> | undefined;
  readonly #outer: { readonly first: number; readonly mask: number; readonly set: Set<number> | undefined }[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** An object begins. */
  open(): void {
    this.#outer.push({ first: this.#first, mask: this.#mask, set: this.#set });
    this.#first = this.#places.length;
    this.#mask = 0;
    this.#set = undefined;
  }

  /** The innermost object ends. */
  close(): void {
    const outer = this.#outer.pop();
    if (!outer) return;
    this.#places.length = this.#first;
    this.#first = outer.first;
    this.#mask = outer.mask;
    this.#set = outer.set;
  }

  /** A key of the innermost object stands between these bytes. */
  add(start: number, end: number): void {
    const bytes = this.#bytes;
    const bit = 1 << ((end - start) * 7 + (bytes[start] ?? 0) * 3 + (bytes[end - 1] ?? 0));
    if (this.#set) this.#addToSet(this.#set, start, end);
    else if ((this.#mask & bit) !== 0) this.#compare(start, end);
    this.#mask |= bit;
    this.#places.push(start, end);
  }

  #compare(start: number, end: number): void {
    const bytes = this.#bytes;
    const places = this.#places;
    for (let i = this.#first; i < places.length; i += 2) {
      const from = places[i] ?? 0;
      const to = places[i + 1] ?? 0;
      if (to - from === end - start && bytes.compare(bytes, from, to, start, end) === 0) this.repeated = true;
    }
    if (places.length - this.#first > smallObject * 2) this.#startSet(start, end);
  }

  #startSet(start: number, end: number): void {
    this.#set = new Set();
    for (let i = this.#first; i < this.#places.length; i += 2) {
      this.#set.add(this.#hash(this.#places[i] ?? 0, this.#places[i + 1] ?? 0));
    }
    this.#addToSet(this.#set, start, end);
  }

  #addToSet(set: Set<number>, start: number, end: number): void {
    const hash = this.#hash(start, end);
    if (set.has(hash)) this.repeated = true;
    set.add(hash);
  }

  #hash(start: number, end: number): number {
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (this.#bytes[i] ?? 0)) | 0;
    return hash;
  }
}
