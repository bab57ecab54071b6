import { PkiError } from './pki-error.ts';

/**
 * Limits of depth and elements: enough for any certificate or request, and far below a stack
 * overflow.
 */
const depthLimit = 32;
const elementLimit = 4096;

/** The numbers of longer object identifiers would cost quadratic time. */
const identifierLimitBytes = 64;

const constructedBit = 0x20;
const sequence = 0x10;
const set = 0x11;

/** One element of a DER value. The byte arrays are views of the input. */
export interface DerElement {
  /** The identifier octet: class, form and tag number. */
  readonly tag: number;
  /** The whole element, with tag and length. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
  /** The elements inside a constructed one; none in others. */
  readonly children: readonly DerElement[];
}

/** The tags of the types that certificates and requests are made of (X.690 section 8). */
export const derTags = Object.freeze({
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
});

/**
 * Reads one DER value, strictly: refuses indefinite or overlong lengths, high tag numbers,
 * constructed strings, trailing bytes, deep nesting. Two parsers then cannot read the same input
 * differently. Throws PkiError `InvalidDer`. Source: X.690 sections 8.1 and 10.
 */
export function readDer(der: Uint8Array): DerElement {
  const element = readElement(der, { start: 0, limit: der.length, depth: 0 }, { elements: 0 });
  const trailing = der.length - element.bytes.length;
  if (trailing > 0) throw new PkiError('InvalidDer', `${trailing} bytes follow the DER value`);
  return element;
}

/** The position of an element that is read. */
interface Position {
  readonly start: number;
  /** The end of the surrounding element. */
  readonly limit: number;
  readonly depth: number;
}

function readElement(der: Uint8Array, { start, limit, depth }: Position, count: { elements: number }): DerElement {
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
  const children: DerElement[] = [];
  for (let at = constructed ? contentStart : end; at < end; ) {
    const child = readElement(der, { start: at, limit: end, depth: depth + 1 }, count);
    children.push(child);
    at += child.bytes.length;
  }
  return { tag, bytes: der.subarray(start, end), content: der.subarray(contentStart, end), children };
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

/** The elements of an element with one of some tags. Throws PkiError `InvalidDer` for others. */
export function elementsOf(element: DerElement | undefined, ...tags: readonly number[]): readonly DerElement[] {
  if (!element || !tags.includes(element.tag)) throw new PkiError('InvalidDer', 'DER value has another structure');
  return element.children;
}

/** The content of an element with a tag. Throws PkiError `InvalidDer` for others. */
export function contentOf(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new PkiError('InvalidDer', 'DER value has another structure');
  return element.content;
}

/**
 * The dotted text of an OBJECT IDENTIFIER, such as `2.5.4.3`. Throws PkiError `InvalidDer` for
 * other elements and malformed ones. Source: X.690 section 8.19.
 */
export function objectIdentifier(element: DerElement | undefined): string {
  const content = contentOf(element, derTags.objectIdentifier);
  if (content.length > identifierLimitBytes || (content.at(-1) ?? 0x80) >= 0x80) {
    throw new PkiError('InvalidDer', 'DER object identifier is malformed');
  }
  const arcs = [0n];
  for (const octet of content) {
    arcs.push(((arcs.pop() ?? 0n) << 7n) | BigInt(octet & 0x7f));
    if (octet < 0x80) arcs.push(0n);
  }
  const [first = 0n, ...others] = arcs.slice(0, -1);
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join('.');
}
