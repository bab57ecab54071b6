import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { type CborForm, formWithin } from './cbor-form.ts';
import { base64Tag, majorType, simpleByte } from './cbor-head.ts';
import { toHalf } from './half-float.ts';

const firstBytes = 16 * 1024;

/** The largest buffer that is reused for the next document. */
const keptBytes = 1024 * 1024;

/** The longest text that is written by a loop, which is faster than a call of Node. */
const shortText = 48;

/** The longest head: an initial byte and 64 bits. */
const longestHead = 9;

/**
 * Encodes CBOR as kube-apiserver does: deterministically (RFC 8949, section 4.2.1), with texts and
 * keys as byte strings, and floating-point numbers in the shortest exact form.
 */
export class CborWriter {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  /** Starts a document; discards the bytes of a failed one. */
  begin(): void {
    this.#length = 0;
  }

  /** Returns a copy of all bytes, and clears the writer. */
  finish(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafeSlow(firstBytes);
    return written;
  }

  /** Writes a value. `form` is its CBOR form, if known. */
  value(value: JsonValue, form: CborForm | undefined): void {
    if (typeof value === 'string') this.#text(value, form);
    else if (typeof value === 'number') this.#number(value, form);
    else if (typeof value === 'bigint') this.#bigint(value);
    else if (value === null) this.raw(simpleByte.null);
    else if (typeof value === 'boolean') this.raw(value ? simpleByte.true : simpleByte.false);
    else if (Array.isArray(value)) {
      this.head(majorType.array, value.length);
      for (const item of value) this.value(item, formWithin(form, ''));
    } else this.map(value, sortedKeys(value), form);
  }

  /** Writes a map with some keys of an object. */
  map(object: JsonObject, keys: readonly string[], form: CborForm | undefined): void {
    this.head(majorType.map, keys.length);
    this.entries(object, keys, form);
  }

  /** Writes entries of a map, without its head. */
  entries(object: JsonObject, keys: readonly string[], form: CborForm | undefined): void {
    for (const key of keys) {
      this.key(key);
      this.value(object[key] ?? null, formWithin(form, key));
    }
  }

  /** Writes the key of an entry. */
  key(key: string): void {
    this.#string(key);
  }

  /** Writes an item of one byte. */
  raw(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Writes encoded bytes. */
  encoded(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a head: the major type and its argument. */
  head(type: number, argument: number): void {
    this.#reserve(longestHead);
    const bytes = this.#bytes;
    const first = type << 5;
    if (argument < 24) bytes[this.#length++] = first | argument;
    else if (argument < 0x100) {
      bytes[this.#length++] = first | 24;
      bytes[this.#length++] = argument;
    } else if (argument < 0x10000) {
      bytes[this.#length++] = first | 25;
      this.#length = bytes.writeUInt16BE(argument, this.#length);
    } else if (argument < 0x100000000) {
      bytes[this.#length++] = first | 26;
      this.#length = bytes.writeUInt32BE(argument, this.#length);
    } else this.#longHead(type, BigInt(argument));
  }

  #longHead(type: number, argument: bigint): void {
    this.#reserve(longestHead);
    this.#bytes[this.#length++] = (type << 5) | 27;
    this.#length = this.#bytes.writeBigUInt64BE(argument, this.#length);
  }

  #text(value: string, form: CborForm | undefined): void {
    if (form?.type !== 'bytes') return this.#string(value);
    const bytes = Buffer.from(value, 'base64');
    this.head(majorType.tag, base64Tag);
    this.head(majorType.bytes, bytes.length);
    this.encoded(bytes);
  }

  #string(value: string): void {
    const { length } = value;
    if (length <= shortText) {
      this.head(majorType.bytes, length);
      if (this.#ascii(value)) return;
      // The head was written for ASCII; a text with other characters has another length.
      this.#length -= length < 24 ? 1 : 2;
    }
    const bytes = Buffer.byteLength(value);
    this.head(majorType.bytes, bytes);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(value, this.#length, bytes, 'utf8');
  }

  /** Writes ASCII characters; false, without writing anything, if there are others. */
  #ascii(value: string): boolean {
    this.#reserve(value.length);
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      this.#bytes[this.#length + index] = code;
    }
    this.#length += value.length;
    return true;
  }

  #number(value: number, form: CborForm | undefined): void {
    const isInteger = Number.isSafeInteger(value) && form?.type !== 'double' && !Object.is(value, -0);
    if (!isInteger) this.#float(value);
    else if (value >= 0) this.head(majorType.unsigned, value);
    else this.head(majorType.negative, -1 - value);
  }

  #bigint(value: bigint): void {
    // Larger integers are floating-point numbers in Go's JSON.
    if (BigInt.asIntN(64, value) !== value) this.#float(Number(value));
    else if (value >= 0n) this.#longHead(majorType.unsigned, value);
    else this.#longHead(majorType.negative, -1n - value);
  }

  #float(value: number): void {
    const half = toHalf(value);
    this.#reserve(longestHead);
    if (half !== undefined) {
      this.#bytes[this.#length++] = simpleByte.half;
      this.#length = this.#bytes.writeUInt16BE(half, this.#length);
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#length++] = simpleByte.single;
      this.#length = this.#bytes.writeFloatBE(value, this.#length);
    } else {
      this.#bytes[this.#length++] = simpleByte.double;
      this.#length = this.#bytes.writeDoubleBE(value, this.#length);
    }
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const ascii = /^[\0-\x7f]*$/;

/** Returns the keys of an object in the order of their encodings: shorter keys first. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  return keys.toSorted(keys.every((key) => ascii.test(key)) ? compareTexts : compareBytes);
}

function compareTexts(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function compareBytes(a: string, b: string): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}
