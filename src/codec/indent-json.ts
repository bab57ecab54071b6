/**
 * Indents a JSON document by two spaces a level, as `pretty=true` requests. Works on bytes, so that
 * numbers and escapes are unchanged. `depth` is the level of the document; its first line is not
 * indented.
 */
export function indentJson(json: Uint8Array, depth = 0): Buffer {
  const output = new ByteList(json.length * 2);
  let level = depth;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0;
    if (byte === quote) {
      const end = endOfString(json, index);
      output.append(json, index, end);
      index = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      const close = nextToken(json, index + 1);
      output.push(byte);
      if (json[close] === byte + 2) {
        output.push(byte + 2);
        index = close;
      } else output.newLine(++level);
    } else if (byte === closeBrace || byte === closeBracket) {
      output.newLine(--level);
      output.push(byte);
    } else if (byte === comma) {
      output.push(comma);
      output.newLine(level);
    } else if (byte === colon) {
      output.push(colon);
      output.push(space);
    } else if (!isWhitespace(byte)) output.push(byte);
  }
  return output.bytes();
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lineFeed = 0x0a;

/** A buffer with more unused bytes than this is copied to one of the right size. */
const spareBytes = 16 * 1024;

function isWhitespace(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === 0x0d || byte === 0x09;
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    if (json[index] === backslash) index++;
    else if (json[index] === quote) return index + 1;
  }
  return json.length;
}

function nextToken(json: Uint8Array, start: number): number {
  let index = start;
  while (index < json.length && isWhitespace(json[index] ?? 0)) index++;
  return index;
}

/** A growing buffer of bytes. */
class ByteList {
  private buffer: Buffer;
  private length = 0;

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafe(Math.max(64, capacity));
  }

  push(byte: number): void {
    this.reserve(1);
    this.buffer[this.length++] = byte;
  }

  append(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.buffer.set(source.subarray(start, end), this.length);
    this.length += end - start;
  }

  newLine(level: number): void {
    const width = 2 * Math.max(0, level);
    this.reserve(width + 1);
    this.buffer[this.length++] = lineFeed;
    this.buffer.fill(space, this.length, this.length + width);
    this.length += width;
  }

  bytes(): Buffer {
    const bytes = this.buffer.subarray(0, this.length);
    // A subarray would keep the whole large buffer in memory.
    return this.buffer.length - this.length > spareBytes ? Buffer.from(bytes) : bytes;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + count));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}
