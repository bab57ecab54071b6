import {
  closeBrace,
  closeBracket,
  colon,
  JsonCursor,
  noToken,
  openBrace,
  openBracket,
  quote,
  scalar,
} from './json-cursor.ts';

/** Keys of larger objects are compared by hash, in a set, instead of one by one. */
const smallObject = 24;

/**
 * Detects duplicate keys while a document is scanned. Keeps the keys of all open objects as offsets
 * in the document; nothing is copied.
 */
class OpenKeys {
  /**
   * True if an object may have a duplicate key. A false positive is possible in large objects only;
   * a false negative is not.
   */
  repeated = false;
  readonly #bytes: Buffer;
  /** Start and end offsets of every key of every open object. Entries from `#top` on are unused. */
  readonly #places: number[] = [];
  #top = 0;
  /** The index in `#places` of the first key of the innermost object. */
  #first = 0;
  /**
   * One bit for each hash of length, first and last byte of a key in the innermost object. Most new
   * keys set a new bit and need no comparison.
   */
  #mask = 0;
  /** Hashes of the keys of the innermost object; undefined while it has few keys. */
  #set: Set<number> | undefined;
  /** `#first` and `#mask` of the enclosing objects. */
  readonly #outer: number[] = [];
  readonly #outerSets = new Map<number, Set<number>>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Starts an object. */
  open(): void {
    if (this.#set) this.#outerSets.set(this.#outer.length, this.#set);
    this.#outer.push(this.#first, this.#mask);
    this.#first = this.#top;
    this.#mask = 0;
    this.#set = undefined;
  }

  /** Ends the innermost object. */
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

  /** Adds the key between two offsets to the innermost object. */
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

/**
 * The maximum nesting depth of a document. Kubernetes allows 10,000; no object needs a tenth of
 * that.
 */
export const depthLimit = 1000;

/** The result of one scan over the bytes of a document. */
interface JsonScan {
  /**
   * True if `JSON.parse` may lose something: a large integer, a number out of range, a lone
   * surrogate.
   */
  readonly lossy: boolean;
  /** True if an object may have duplicate keys; false if duplicates were not checked. */
  readonly maybeDuplicates: boolean;
}

const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const letterE = 0x65;

/**
 * The maximum length of a number without an exponent that needs no further check: integers of this
 * length are exact as doubles, and fractions are rounded by every JSON parser.
 */
const exactLength = 15;

/** True for a number that a double may not represent; false for words. */
function mayBeInexact(bytes: Buffer, { start, end }: JsonCursor): boolean {
  const digits = bytes[start] === minus ? start + 1 : start;
  const first = bytes[digits] ?? 0;
  if (first < zero || first > nine) return false;
  if (end - digits > exactLength) return true;
  for (let index = digits; index < end; index++) if (((bytes[index] ?? 0) | 0x20) === letterE) return true;
  return false;
}

/**
 * Scans every byte of a document once, to decide if `JSON.parse` can be used, and before any parser
 * recurses into it. Does not check the syntax. Keys are compared only with `duplicates`. Undefined
 * if the nesting is deeper than `depthLimit`.
 */
export function scanJson(bytes: Buffer, duplicates: boolean): JsonScan | undefined {
  const keys = duplicates ? new OpenKeys(bytes) : undefined;
  const cursor = new JsonCursor(bytes);
  // Only an escape can produce a lone surrogate, or make equal keys look different.
  let lossy = bytes.includes(backslash) && bytes.includes('\\u');
  let depth = 0;
  let [keyStart, keyEnd] = [0, 0];
  for (let token = cursor.next(); token !== noToken; token = cursor.next()) {
    if (token === quote) {
      keyStart = cursor.start + 1;
      keyEnd = cursor.end - 1;
    } else if (token === colon) keys?.add(keyStart, keyEnd);
    else if (token === openBrace) {
      if (++depth > depthLimit) return undefined;
      keys?.open();
    } else if (token === closeBrace) {
      depth--;
      keys?.close();
    } else if (token === openBracket) {
      if (++depth > depthLimit) return undefined;
    } else if (token === closeBracket) depth--;
    else if (token === scalar) lossy ||= mayBeInexact(bytes, cursor);
  }
  return { lossy, maybeDuplicates: keys?.repeated ?? false };
}
