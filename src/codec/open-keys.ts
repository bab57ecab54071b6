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
  /** Start and end of every key of every open object; what stands at `#top` and beyond is left over. */
  readonly #places: number[] = [];
  #top = 0;
  /** Where the keys of the innermost object begin. */
  #first = 0;
  /** A bit for each kind of key that the innermost object has: most new keys differ from all others at a glance. */
  #mask = 0;
  /** Hashes of the keys of the innermost object, once it has many. */
  #set: Set<number> | undefined;
  /** `#first` and `#mask` of the objects around it. */
  readonly #outer: number[] = [];
  readonly #outerSets = new Map<number, Set<number>>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** An object begins. */
  open(): void {
    if (this.#set) this.#outerSets.set(this.#outer.length, this.#set);
    this.#outer.push(this.#first, this.#mask);
    this.#first = this.#top;
    this.#mask = 0;
    this.#set = undefined;
  }

  /** The innermost object ends. */
  close(): void {
    this.#top = this.#first;
    this.#mask = this.#outer.pop() ?? 0;
    this.#first = this.#outer.pop() ?? 0;
    this.#set = undefined;
    if (this.#outerSets.size > 0) this.#reopenSet();
  }

  #reopenSet(): void {
    const at = this.#outer.length;
    this.#set = this.#outerSets.get(at);
    this.#outerSets.delete(at);
  }

  /** A key of the innermost object stands between these bytes. */
  add(start: number, end: number): void {
    const bytes = this.#bytes;
    const bit = 1 << ((end - start) * 7 + (bytes[start] ?? 0) * 3 + (bytes[end - 1] ?? 0));
    if (this.#set) this.#addToSet(this.#set, start, end);
    else if ((this.#mask & bit) !== 0) this.#compare(start, end);
    this.#mask |= bit;
    this.#places[this.#top++] = start;
    this.#places[this.#top++] = end;
  }

  #compare(start: number, end: number): void {
    const bytes = this.#bytes;
    const places = this.#places;
    for (let i = this.#first; i < this.#top; i += 2) {
      const from = places[i] ?? 0;
      const to = places[i + 1] ?? 0;
      if (to - from === end - start && bytes.compare(bytes, from, to, start, end) === 0) this.repeated = true;
    }
    if (this.#top - this.#first > smallObject * 2) this.#startSet(start, end);
  }

  #startSet(start: number, end: number): void {
    this.#set = new Set();
    for (let i = this.#first; i < this.#top; i += 2) {
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
