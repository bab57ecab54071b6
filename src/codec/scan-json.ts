import { JsonDecodeError } from './json-decode-error.ts';
import { OpenKeys } from './open-keys.ts';

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

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const zero = 0x30;
const nine = 0x39;
const letterE = 0x65;

/**
 * The maximum length of a number without an exponent that needs no further check: integers of this
 * length are exact as doubles, and fractions are rounded by every JSON parser.
 */
const exactLength = 15;

/**
 * Strings are scanned byte by byte up to this length. Beyond it `indexOf` finds their end, because
 * starting a search costs about as much as scanning this many bytes.
 */
const walkLength = 32;

/**
 * Returns the index of the closing quote of a string, searched from an index inside it; the length
 * of the buffer if the string does not end.
 */
function endOfLongString(bytes: Buffer, from: number): number {
  for (let start = from; ; ) {
    const end = bytes.indexOf(quote, start);
    if (end < 0) return bytes.length;
    let slashes = end;
    while (slashes > from && bytes[slashes - 1] === backslash) slashes--;
    if ((end - slashes) % 2 === 0) return end;
    start = end + 1;
  }
}

/** Returns the index of the closing quote of the string whose first character is at `start`. */
export function endOfString(bytes: Buffer, start: number): number {
  let i = start;
  for (let byte = bytes[i]; byte !== quote && byte !== undefined; byte = bytes[++i]) {
    if (byte === backslash) i++;
    else if (i - start > walkLength) return endOfLongString(bytes, i);
  }
  return i;
}

/**
 * Returns the index of the last character of a number; negative if a double may not represent it.
 */
function endOfNumber(bytes: Buffer, start: number): number {
  let i = start;
  let exponent = false;
  for (let byte = bytes[i]; byte !== undefined; byte = bytes[++i]) {
    if ((byte | 0x20) === letterE) exponent = true;
    else if ((byte < zero || byte > nine) && byte !== 0x2e && byte !== 0x2d && byte !== 0x2b) break;
  }
  return exponent || i - start > exactLength ? 1 - i : i - 1;
}

/** True if the next byte after whitespace is a colon: the preceding string is a key. */
function isColonAhead(bytes: Buffer, from: number): boolean {
  let i = from;
  let byte = bytes[i];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i];
  return byte === colon;
}

function checkDepth(depth: number): void {
  if (depth > depthLimit) throw new JsonDecodeError('exceeded max depth');
}

/**
 * Scans every byte of a document once, to decide if `JSON.parse` can be used. Throws
 * `JsonDecodeError` if the nesting is too deep, before any parser recurses into it. Does not check
 * the syntax. Keys are compared only with `duplicates`.
 */
export function scanJson(bytes: Buffer, duplicates: boolean): JsonScan {
  const keys = duplicates ? new OpenKeys(bytes) : undefined;
  // Only an escape can produce a lone surrogate, or make equal keys look different.
  let lossy = bytes.includes(backslash) && bytes.includes('\\u');
  let depth = 0;
  // The condition of the loop keeps the index in bounds; TypeScript cannot infer that.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) {
      const start = i + 1;
      i = endOfString(bytes, start);
      if (keys && (bytes[i + 1] === colon || isColonAhead(bytes, i + 1))) keys.add(start, i);
    } else if (byte >= openBracket) {
      if (byte === openBrace) {
        checkDepth(++depth);
        keys?.open();
      } else if (byte === closeBrace) {
        depth--;
        keys?.close();
      } else if (byte === openBracket) checkDepth(++depth);
      else if (byte === closeBracket) depth--;
    } else if (byte >= zero && byte <= nine) {
      const end = endOfNumber(bytes, i);
      lossy ||= end < 0;
      i = Math.abs(end);
    }
  }
  return { lossy, maybeDuplicates: keys?.repeated ?? false };
}
