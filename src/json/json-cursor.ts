/** The bytes of JSON that are no part of a string, a number or a word. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The token of a number or a word: its first byte says which of them. */
export const scalar = 1;

/** The token after the last one. */
export const noToken = 0;

const backslash = 0x5c;

/**
 * Strings are walked byte by byte up to this length. Beyond it `indexOf` finds their end, because
 * starting a search costs about as much as walking over this many bytes.
 */
const walkLength = 32;

/**
 * Reads the bytes of JSON token by token and makes no values. Does not check the syntax: an
 * unterminated string ends with the bytes.
 */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  /** The offset of the token. */
  start: number;
  /** The offset after the token. */
  end: number;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.start = from;
    this.end = from;
  }

  /**
   * Moves to the next token and returns it: its byte for punctuation, `quote` for a string,
   * `scalar` for a number or a word, `noToken` at the end.
   */
  next(): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let index = this.end;
    // Stored JSON has no spaces.
    while (index < length && classes[bytes[index] as number] === spaceClass) index++;
    this.start = index;
    if (index >= length) return this.#stop(index);
    const byte = bytes[index++] as number;
    if (byte === quote) {
      this.end = afterString(bytes, index);
      return quote;
    }
    if (classes[byte] === punctuationClass) {
      this.end = index;
      return byte;
    }
    while (index < length && classes[bytes[index] as number] === 0) index++;
    this.end = index;
    return scalar;
  }

  #stop(index: number): number {
    this.end = index;
    return noToken;
  }

  /**
   * Moves behind the value that begins with the next token, in one loop without calls: thousands of
   * definitions are skipped at a start.
   */
  skipValue(): void {
    const bytes = this.#bytes;
    const { length } = bytes;
    let depth = 0;
    let index = this.end;
    this.start = index;
    for (; index < length; index++) {
      const byte = bytes[index] as number;
      if (byte === quote) {
        index++;
        while (index < length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
        if (depth === 0) break;
      } else if (byte >= openBracket) {
        if (byte === openBracket || byte === openBrace) depth++;
        else if ((byte === closeBracket || byte === closeBrace) && --depth <= 0) break;
      } else if (byte === comma && depth === 0) break;
    }
    // A value without an end of its own ends before the delimiter that follows it.
    this.end = depth < 0 || bytes[index] === comma ? index : Math.min(index + 1, length);
  }
}

/** The classes of bytes outside of strings: others are parts of numbers and words. */
const [spaceClass, punctuationClass, quoteClass] = [1, 2, 3];
const classes = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09]) classes[byte] = spaceClass;
for (const byte of [comma, colon, openBrace, closeBrace, openBracket, closeBracket]) classes[byte] = punctuationClass;
classes[quote] = quoteClass;

/** Returns the offset after the string whose first character is at `from`. */
function afterString(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  const last = Math.min(length, from + walkLength);
  for (let index = from; index < last; index++) {
    const byte = bytes[index] as number;
    if (byte === quote) return index + 1;
    if (byte === backslash) index++;
  }
  return from >= length ? length : afterLongString(bytes, from);
}

function afterLongString(bytes: Uint8Array, from: number): number {
  for (let start = from; ; ) {
    const end = bytes.indexOf(quote, start);
    if (end < 0) return bytes.length;
    let slashes = end;
    while (slashes > from && bytes[slashes - 1] === backslash) slashes--;
    if ((end - slashes) % 2 === 0) return end + 1;
    start = end + 1;
  }
}
