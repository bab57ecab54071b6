// Header blocks of HTTP/2 (RFC 7541) for a connection without dynamic tables: fields are sent as
// literals, and read as literals or from the static table.

/** Header fields by name. Names are in lower case. */
export type HeaderFields = ReadonlyMap<string, string>;

/** A header block that cannot be decoded; the rest of the connection cannot be parsed. */
class HpackError extends Error {
  override readonly name = 'HpackError';
}

/** RFC 7541, appendix A, from index 1. Entries without a value are used for their names. */
const staticTable: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((status) => [':status', status] as const),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...(
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control ' +
    'content-disposition content-encoding content-language content-length content-location content-range content-type ' +
    'cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since ' +
    'last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after ' +
    'server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate'
  )
    .split(' ')
    .map((name) => [name, ''] as const),
];

/** Encodes fields as literals, neither indexed nor compressed. */
export function encodeFields(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), ...textParts(name), ...textParts(value)]),
  );
}

function textParts(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return [encodeInteger(bytes.length, 7), bytes];
}

/** Encodes an integer with a prefix of `prefixBits` bits in its first byte (RFC 7541, 5.1). */
function encodeInteger(value: number, prefixBits: number): Buffer {
  const full = 2 ** prefixBits - 1;
  if (value < full) return Buffer.of(value);
  const bytes = [full];
  let rest = value - full;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.of(...bytes, rest);
}

/** Decodes a header block. The last of several fields with one name wins. Throws `HpackError`. */
export function decodeFields(block: Buffer): HeaderFields {
  const fields = new Map<string, string>();
  const cursor: Cursor = { block, at: 0 };
  while (cursor.at < block.length) {
    const first = block[cursor.at] ?? 0;
    if (first & 0x80) {
      const [name, value] = staticField(readInteger(cursor, 7));
      fields.set(name, value);
    } else if ((first & 0xe0) === 0x20) {
      // A dynamic table size update; it must be 0 and is ignored.
      readInteger(cursor, 5);
    } else {
      // A literal with or without indexing, or never indexed: all alike without a dynamic table.
      const index = readInteger(cursor, first & 0x40 ? 6 : 4);
      const name = index === 0 ? readText(cursor) : staticField(index)[0];
      fields.set(name, readText(cursor));
    }
  }
  return fields;
}

interface Cursor {
  readonly block: Buffer;
  at: number;
}

function staticField(index: number): readonly [name: string, value: string] {
  const field = staticTable[index - 1];
  if (!field) throw new HpackError(`header field index ${index} does not exist`);
  return field;
}

function readByte(cursor: Cursor): number {
  const byte = cursor.block[cursor.at++];
  if (byte === undefined) throw new HpackError('a header block is truncated');
  return byte;
}

function readInteger(cursor: Cursor, prefixBits: number): number {
  const full = 2 ** prefixBits - 1;
  let value = readByte(cursor) & full;
  if (value < full) return value;
  for (let shift = 0; shift <= 21; shift += 7) {
    const byte = readByte(cursor);
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new HpackError('a number in a header block is too large');
}

function readText(cursor: Cursor): string {
  const { block, at } = cursor;
  const compressed = ((block[at] ?? 0) & 0x80) !== 0;
  const length = readInteger(cursor, 7);
  const bytes = block.subarray(cursor.at, cursor.at + length);
  if (bytes.length < length) throw new HpackError('a header block is truncated');
  cursor.at += length;
  return compressed ? decodeHuffman(bytes) : bytes.toString('latin1');
}

/**
 * Length in bits of the Huffman code of each byte and of the end mark (RFC 7541, appendix B). The
 * codes follow from the lengths.
 */
const codeLengths = `
  13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28
  28 28 28 28 28 28 30 28 28 28 28 28 28 28 28 28
  6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6
  5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10
  13 6 7 7 7 7 7 7 7 7 7 7 7 7 7 7
  7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6
  15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5
  6 7 6 5 5 6 7 7 7 7 7 15 11 14 13 28
  20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23
  24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24
  22 21 20 22 22 23 23 21 23 22 22 24 21 22 23 23
  21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23
  26 26 20 19 22 23 22 25 26 26 26 27 27 26 24 25
  19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27
  20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23
  26 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26
  30`
  .trim()
  .split(/\s+/)
  .map(Number);
const endMark = 256;
const longestCode = 30;

/**
 * The code is canonical: the codes of one length are consecutive, in symbol order. These are the
 * symbols by length, and the first code of each length.
 */
const symbolsOfLength = Array.from({ length: longestCode + 1 }, (_, length) =>
  [...codeLengths.keys()].filter((symbol) => codeLengths[symbol] === length),
);
const firstCodes = symbolsOfLength.reduce<number[]>((codes, _, length) => {
  const before = length - 1;
  codes.push(length === 0 ? 0 : ((codes[before] ?? 0) + (symbolsOfLength[before]?.length ?? 0)) * 2);
  return codes;
}, []);

function decodeHuffman(bytes: Buffer): string {
  const text: number[] = [];
  let [code, length] = [0, 0];
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length++;
      const symbol = symbolsOfLength[length]?.[code - (firstCodes[length] ?? 0)];
      if (symbol === endMark || length > longestCode) throw new HpackError('a text in a header block is malformed');
      if (symbol === undefined) continue;
      text.push(symbol);
      [code, length] = [0, 0];
    }
  }
  // The rest of the last byte is padded with the beginning of the end mark: ones.
  if (length > 7 || code !== 2 ** length - 1) throw new HpackError('a text in a header block is malformed');
  return Buffer.from(text).toString('latin1');
}
