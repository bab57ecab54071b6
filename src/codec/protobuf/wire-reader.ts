import { DecodeError } from '../decode-error.ts';
import { tooManyValues, valueLimit } from '../value-limit.ts';

/** The wire types of Protobuf. */
export const wireType = Object.freeze({ varint: 0, fixed64: 1, delimited: 2, fixed32: 5 });

/** A varint of 64 bits has at most this many bytes. */
const maxVarintBytes = 10;

/**
 * The maximum number of fields of a body. A value has up to five: an entry of a map with its key,
 * and a time with its seconds and nanoseconds.
 */
const fieldLimit = 5 * valueLimit;

/**
 * Reads the fields of a Protobuf message. Throws `DecodeError` for malformed bytes, and 413 for too
 * many values. Unlike the reader of protobuf-es it keeps to the end of a nested message, limits the
 * values of a body, and reads small integers as numbers.
 */
export class WireReader {
  readonly buffer: Buffer;
  /** The prefix of schema extensions in the decoded objects. */
  readonly extensionPrefix: string;
  /** Index of the next byte. */
  at: number;
  /** Index after the last byte of the message. */
  end: number;
  readonly #most: number;
  #fields = 0;

  constructor(buffer: Buffer, extensionPrefix = '', most = fieldLimit) {
    this.#most = most;
    this.buffer = buffer;
    this.extensionPrefix = extensionPrefix;
    this.at = 0;
    this.end = buffer.length;
  }

  /** Counts fields, or values in raw JSON, before they are read. */
  countFields(count = 1): void {
    this.#fields += count;
    if (this.#fields > this.#most) throw tooManyValues();
  }

  /**
   * Reads the fields up to the end of the message, and counts each. `read` returns false for a
   * field that it does not know, which is then skipped.
   */
  fields(read: (tag: number) => boolean): void {
    while (this.at < this.end) {
      const tag = this.nextTag();
      if (!read(tag)) this.skip(tag & 7);
    }
  }

  /** Reads the tag of the next field, and counts the field. */
  nextTag(): number {
    this.countFields();
    return this.uint32();
  }

  /** Reads an unsigned integer that fits 32 bits: tags and lengths. */
  uint32(): number {
    const value = this.#byte();
    if (value < 0x80) return value;
    const whole = this.#short(value) ?? this.uint64At(this.at - 1);
    if (whole > 0xffffffff) throw new DecodeError('proto: integer overflow');
    return Number(whole);
  }

  /** Reads an integer of 64 bits as signed: a number if it is exact as one, else a bigint. */
  int64(): number | bigint {
    const value = this.#byte();
    if (value < 0x80) return value;
    const short = this.#short(value);
    if (short !== undefined) return short;
    const whole = BigInt.asIntN(64, this.uint64At(this.at - 1));
    return whole >= Number.MIN_SAFE_INTEGER && whole <= Number.MAX_SAFE_INTEGER ? Number(whole) : whole;
  }

  /** Reads an unsigned integer of 64 bits: a number if it is exact as one, else a bigint. */
  uint64(): number | bigint {
    const whole = this.uint64At(this.at);
    return whole <= Number.MAX_SAFE_INTEGER ? Number(whole) : whole;
  }

  /** Reads an integer of 32 bits; further bits are dropped, as in Go. */
  int32(): number {
    const value = this.int64();
    // Bit operations drop the bits beyond 32.
    return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value));
  }

  /**
   * Reads the rest of a varint after its first byte if it has at most six bytes, without a bigint;
   * moves nothing for a longer one.
   */
  #short(first: number): number | undefined {
    const { buffer, end } = this;
    let value = first & 0x7f;
    let scale = 0x80;
    for (let at = this.at; at < end && at < this.at + 5; at++) {
      const byte = buffer[at] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.at = at + 1;
        return value;
      }
      scale *= 0x80;
    }
    return undefined;
  }

  /** Reads a varint that starts at an index. */
  uint64At(index: number): bigint {
    this.at = index;
    let value = 0n;
    for (let count = 0; count < maxVarintBytes; count++) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new DecodeError('proto: integer overflow');
  }

  /** Reads a 64-bit floating-point number. */
  double(): number {
    const start = this.#take(Float64Array.BYTES_PER_ELEMENT);
    return this.buffer.readDoubleLE(start);
  }

  /** Reads a text with its length. Bytes that are not UTF-8 become U+FFFD, as in Go's JSON. */
  text(): string {
    const length = this.uint32();
    const start = this.#take(length);
    return this.buffer.toString('utf8', start, start + length);
  }

  /** Reads bytes with their length. The result shares the memory of the buffer. */
  bytes(): Buffer {
    const length = this.uint32();
    const start = this.#take(length);
    return this.buffer.subarray(start, start + length);
  }

  /**
   * Limits the reader to the nested message that starts here. Returns the end of the enclosing one,
   * to be given to `leave`.
   */
  enter(): number {
    const outer = this.end;
    const length = this.uint32();
    if (length > outer - this.at) throw unexpectedEnd();
    this.end = this.at + length;
    return outer;
  }

  /** Returns to the enclosing message. */
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  /** Skips the value of a field that the schema does not have. */
  skip(type: number): void {
    if (type === wireType.varint) this.uint64At(this.at);
    else if (type === wireType.fixed64) this.#take(8);
    else if (type === wireType.fixed32) this.#take(4);
    else if (type === wireType.delimited) this.bytes();
    else throw new DecodeError(`proto: illegal wireType ${type}`);
  }

  #byte(): number {
    return this.buffer[this.#take(1)] ?? 0;
  }

  #take(count: number): number {
    const start = this.at;
    if (count > this.end - start) throw unexpectedEnd();
    this.at = start + count;
    return start;
  }
}

function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}
