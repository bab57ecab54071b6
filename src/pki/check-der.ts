import { PkiError } from './pki-error.ts';

/**
 * Limits of depth and elements: enough for any certificate or request, and far below a stack
 * overflow.
 */
const depthLimit = 32;
const elementLimit = 4096;

const constructedBit = 0x20;
const sequence = 0x10;
const set = 0x11;

/**
 * Refuses input that is not strict DER: indefinite or overlong lengths, high tag numbers,
 * constructed strings, trailing bytes, deep nesting. Two parsers then cannot read the same input
 * differently. Throws PkiError `InvalidDer`. Source: X.690 sections 8.1 and 10.
 */
export function checkDer(der: Uint8Array): void {
  const count = { elements: 0 };
  const end = checkElement(der, 0, der.length, 0, count);
  if (end !== der.length) throw new PkiError('InvalidDer', `${der.length - end} bytes follow the DER value`);
}

function checkElement(
  der: Uint8Array,
  start: number,
  limit: number,
  depth: number,
  count: { elements: number },
): number {
  count.elements += 1;
  if (depth > depthLimit || count.elements > elementLimit) throw new PkiError('InvalidDer', 'DER value is too complex');
  const tag = der[start];
  if (tag === undefined || start >= limit) throw new PkiError('InvalidDer', 'DER value ends early');
  if ((tag & 0x1f) === 0x1f) throw new PkiError('InvalidDer', 'DER tag numbers above 30 are not expected');
  const { contentStart, end } = readLength(der, start + 1, limit);
  const constructed = (tag & constructedBit) !== 0;
  if (tag >> 6 === 0 && constructed !== [sequence, set].includes(tag & 0x1f)) {
    throw new PkiError('InvalidDer', `DER tag 0x${tag.toString(16)} has the wrong form`);
  }
  if (constructed) {
    for (let at = contentStart; at < end; ) at = checkElement(der, at, end, depth + 1, count);
  }
  return end;
}

function readLength(der: Uint8Array, at: number, limit: number): { contentStart: number; end: number } {
  const first = der[at];
  if (first === undefined || at >= limit) throw new PkiError('InvalidDer', 'DER value ends early');
  const octets = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || octets > 4) throw new PkiError('InvalidDer', 'DER length is indefinite or too long');
  let length = first < 0x80 ? first : 0;
  for (let index = 1; index <= octets; index += 1) length = length * 256 + (der[at + index] ?? 0);
  const minimal = octets === 0 || (length >= 0x80 && length >= 256 ** (octets - 1));
  if (!minimal) throw new PkiError('InvalidDer', 'DER length is not minimal');
  const contentStart = at + 1 + octets;
  if (contentStart + length > limit) throw new PkiError('InvalidDer', 'DER value ends early');
  return { contentStart, end: contentStart + length };
}
