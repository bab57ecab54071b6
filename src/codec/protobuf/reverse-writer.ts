const firstBytes = 16 * 1024;

/** A longer buffer than this is not kept for the next message. */
const keptBytes = 1024 * 1024;

/** Texts up to this length are written by a loop, which is faster than a call of Node. */
const shortText = 48;

/**
 * Writes a Protobuf message from its end to its start. The length of a nested message is then known
 * when it has to be written, so that nothing is measured or copied before. Fields, list items and
 * map entries are written last first, and each field's value before its tag.
 */
export class ReverseWriter {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  /** Index of the first byte that is written. */
  #start = firstBytes;

  /** Number of bytes written so far. The difference of two is the length of the bytes between. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Returns a copy of all bytes, and clears the writer. */
  finish(): Buffer {
    const message = Buffer.from(this.#bytes.subarray(this.#start));
    this.clear();
    return message;
  }

  /** Drops all bytes. */
  clear(): void {
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafeSlow(firstBytes);
    this.#start = this.#bytes.length;
  }

  /** Writes an integer of up to 53 bits; a negative one as 64 bits in two's complement. */
  varint(value: number): void {
    if (value < 0 || value > Number.MAX_SAFE_INTEGER) return this.bigVarint(BigInt(value));
    const start = this.#reserve(varintLength(value));
    let at = start;
    let rest = value;
    // Bit operations of JavaScript have 32 bits.
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) this.#bytes[at++] = (rest % 128) | 0x80;
    for (; rest > 127; rest >>>= 7) this.#bytes[at++] = (rest & 0x7f) | 0x80;
    this.#bytes[at] = rest;
  }

  /** Writes an integer of 64 bits. */
  bigVarint(value: bigint): void {
    const encoded: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) encoded.push(Number(rest & 127n) | 0x80);
    encoded.push(Number(rest));
    const start = this.#reserve(encoded.length);
    this.#bytes.set(encoded, start);
  }

  /** Writes a 64-bit floating-point number. */
  double(value: number): void {
    const start = this.#reserve(Float64Array.BYTES_PER_ELEMENT);
    this.#bytes.writeDoubleLE(value, start);
  }

  /** Writes a text as UTF-8, with its length before it. */
  text(value: string): void {
    const { length } = value;
    if (length > shortText || !this.#ascii(value)) {
      const bytes = Buffer.byteLength(value);
      const start = this.#reserve(bytes);
      this.#bytes.write(value, start, bytes, 'utf8');
      this.varint(bytes);
    } else this.varint(length);
  }

  /** Writes bytes, with their length before them. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
  }

  /** Writes bytes that are already encoded. */
  raw(value: Uint8Array): void {
    const start = this.#reserve(value.length);
    this.#bytes.set(value, start);
  }

  /** Writes a text of ASCII characters; false, and nothing written, if it has others. */
  #ascii(value: string): boolean {
    const start = this.#reserve(value.length);
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) {
        this.#start += value.length;
        return false;
      }
      this.#bytes[start + index] = code;
    }
    return true;
  }

  /**
   * Returns the index of the next bytes to write. `#bytes` may be another buffer afterwards: it is
   * read after the call, and not before it in the same expression.
   */
  #reserve(count: number): number {
    if (count > this.#start) this.#grow(count);
    this.#start -= count;
    return this.#start;
  }

  #grow(count: number): void {
    const { length } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, length + count));
    this.#bytes.copy(larger, larger.length - length, this.#start);
    this.#start = larger.length - length;
    this.#bytes = larger;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length++;
  return length;
}
