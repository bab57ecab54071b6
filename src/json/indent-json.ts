import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  JsonCursor,
  noToken,
  openBrace,
  openBracket,
  quote,
  scalar,
} from './json-cursor.ts';

/**
 * Indents a JSON document by two spaces a level, as `pretty=true` requests. Works on bytes, so that
 * numbers and escapes are unchanged. `depth` is the level of the document; its first line is not
 * indented.
 */
export function indentJson(json: Uint8Array, depth = 0): Buffer {
  const output = new ByteList(json.length * 2);
  const cursor = new JsonCursor(json);
  let level = depth;
  let last = noToken;
  for (let token = cursor.next(); token !== noToken; token = cursor.next()) {
    const isClosing = token === closeBrace || token === closeBracket;
    // An empty object or list stays on its line.
    if (last === openBrace || last === openBracket) {
      if (!isClosing) output.newLine(++level);
    } else if (isClosing) output.newLine(--level);
    else if (last === comma) output.newLine(level);
    else if (last === colon) output.push(space);
    if (token === scalar || token === quote) output.append(json, cursor.start, cursor.end);
    else output.push(token);
    last = token;
  }
  return output.bytes();
}

const space = 0x20;
const lineFeed = 0x0a;

/** A buffer with more unused bytes than this is copied to one of the right size. */
const spareBytes = 16 * 1024;

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
