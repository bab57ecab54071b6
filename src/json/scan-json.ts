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
