import { JsonDecodeError } from './json-decode-error.ts';
import { OpenKeys } from './open-keys.ts';

/** The deepest nesting of a document. Kubernetes stops at 10,000; no object needs a tenth of it. */
export const depthLimit = 1000;

/** What one pass over the bytes of a document tells about it. */
interface JsonScan {
  /** `JSON.parse` would lose something: a large integer, a number out of range, half a surrogate pair. */
  readonly lossy: boolean;
  /** Two keys of one object may be the same; false where they were not looked at. */
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

/** A number with fewer characters, none of them an exponent, is exact or was never meant to be. */
const exactLength = 15;

/** Strings are walked so far and searched for their end beyond; starting a search costs about as much. */
const walkLength = 32;

/** The index of the quote that ends a string, looked for from inside of it; the length where it does not end. */
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

/** The index of the quote that ends the string whose first character is at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let i = start;
  for (let byte = bytes[i]; byte !== quote && byte !== undefined; byte = bytes[++i]) {
    if (byte === backslash) i++;
    else if (i - start > walkLength) return endOfLongString(bytes, i);
  }
  return i;
}

/** The index of the last character of a number, negative where a double may lose some of it. */
function endOfNumber(bytes: Buffer, start: number): number {
  let i = start;
  let exponent = false;
  for (let byte = bytes[i]; byte !== undefined; byte = bytes[++i]) {
    if ((byte | 0x20) === letterE) exponent = true;
    else if ((byte < zero || byte > nine) && byte !== 0x2e && byte !== 0x2d && byte !== 0x2b) break;
  }
  return exponent || i - start > exactLength ? 1 - i : i - 1;
}

/** Whether a colon follows, after spaces or at once: what stood before it was a key. */
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
 * Looks at every byte of a document once, to decide whether `JSON.parse` will do. Throws `JsonDecodeError` where the
 * nesting is too deep, before anything recurses into it. Says nothing about whether the document is well-formed. Keys are
 * looked at for `duplicates` alone.
 */
export function scanJson(bytes: Buffer, duplicates: boolean): JsonScan {
  const keys = duplicates ? new OpenKeys(bytes) : undefined;
  // Only an escape can write half a surrogate pair, and only an escape can make equal keys look different.
  let lossy = bytes.includes(backslash) && bytes.includes('\\u');
  let depth = 0;
  // The index is in bounds by the condition of the loop, which the type of `bytes[i]` cannot say.
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
