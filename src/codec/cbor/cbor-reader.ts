import { isUtf8 } from 'node:buffer';
import { depthLimit } from '../../json/scan-json.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { DecodeError } from '../decode-error.ts';
import { tooManyValues, valueLimit } from '../value-limit.ts';
import { type CborForm, formWithin } from './cbor-form.ts';
import { base64Tag, majorType } from './cbor-head.ts';
import { taggedTime, timeTag } from './cbor-time.ts';
import { fromHalf } from './half-float.ts';

/** The names of the major types in messages. */
const typeNames: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

/** Returns the name of the major type in an initial byte. */
function nameIn(initial: number): string {
  return typeNames[initial >> 5] ?? '';
}

/** The encodings of tagged bytes in JSON (RFC 8949, section 3.4.5.2), by tag. */
const laterEncodings: ReadonlyMap<number, BufferEncoding> = new Map([
  [21, 'base64url'],
  [base64Tag, 'base64'],
  [23, 'hex'],
]);

const timeTags: ReadonlySet<number> = new Set(Object.values(timeTag));
const bignumTags: ReadonlySet<number> = new Set([2, 3]);

/** The replacement of invalid UTF-8 by Node's decoder. A valid document may contain it too. */
const replacement = '\ufffd';

const breakByte = 0xff;
/** The additional information of an indefinite length. */
const indefinite = 31;

const [largestInt64, smallestInt64] = [2n ** 63n - 1n, -(2n ** 63n)];

/** The context of an item: its form, and what encloses it. */
interface ItemPlace {
  readonly form: CborForm | undefined;
  /** The number of arrays, maps and tags around the item. */
  readonly depth: number;
  /** The encoding for bytes, from the innermost tag around the item. */
  readonly later: BufferEncoding | undefined;
}

/**
 * Decodes a CBOR document as kube-apiserver does, into JSON values. Byte strings become strings,
 * keys are sorted as in JSON, unknown tags are ignored. Refuses duplicate keys, undefined, NaN,
 * infinity and integers beyond 64 bits. Throws `DecodeError`, and a 413 `StatusError` for too many
 * values.
 */
export class CborReader {
  readonly #bytes: Buffer;
  readonly #most: number;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer, most = valueLimit) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /** Reads the single item of the document. `form` is its CBOR form, if known. */
  document(form: CborForm | undefined): JsonValue {
    if (this.#bytes.length === 0) throw new DecodeError('EOF');
    const value = this.#item({ form, depth: 0, later: undefined });
    const rest = this.#bytes.length - this.#at;
    if (rest > 0) throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${this.#at}`);
    return value;
  }

  #item(place: ItemPlace): JsonValue {
    const first = this.#byte();
    const type = first >> 5;
    const info = first & 0x1f;
    if (type === majorType.tag) return this.#tagged(this.#argument(type, info), place);
    if (++this.#values > this.#most) throw tooManyValues();
    if (type === majorType.simple) return this.#simple(info, place.form);
    if (type === majorType.unsigned) return integer(this.#argument(type, info));
    if (type === majorType.negative) return integer(negated(this.#argument(type, info)));
    const length = info === indefinite ? Number.POSITIVE_INFINITY : Number(this.#argument(type, info));
    if (type === majorType.bytes) return this.#string(type, length, encodingIn(place));
    if (type === majorType.text) return this.#text(length, place.form);
    if (place.depth >= depthLimit) throw new DecodeError(`cbor: exceeded max nested level ${depthLimit}`);
    // Each item takes at least one byte.
    if (length !== Number.POSITIVE_INFINITY && length > this.#bytes.length - this.#at) throw unexpectedEnd();
    return type === majorType.array ? this.#array(length, place) : this.#map(length, place);
  }

  #array(length: number, { form, depth, later }: ItemPlace): JsonValue[] {
    const inside: ItemPlace = { form: formWithin(form, ''), depth: depth + 1, later };
    const items: JsonValue[] = [];
    for (let index = 0; index < length && !this.#ends(length); index++) items.push(this.#item(inside));
    return items;
  }

  #map(length: number, { form, depth, later }: ItemPlace): JsonObject {
    const object: JsonObject = {};
    let last = '';
    let isSorted = true;
    for (let index = 0; index < length && !this.#ends(length); index++) {
      const key = this.#key(depth + 1, later);
      isSorted &&= last <= key;
      last = key;
      if (Object.hasOwn(object, key)) {
        const shown = JSON.stringify(key.slice(0, shownKeyLimit));
        throw new DecodeError(`cbor: found duplicate map key ${shown} at map element index ${index}`);
      }
      // The break of a map of indefinite length can only follow a value.
      if (this.#bytes[this.#at] === breakByte) throw unexpectedBreak();
      setOwn(object, key, this.#item({ form: formWithin(form, key), depth: depth + 1, later }));
    }
    return isSorted ? object : inOrder(object);
  }

  #key(depth: number, later: ItemPlace['later']): string {
    const name = nameIn(this.#bytes[this.#at] ?? 0);
    const key = this.#item({ form: undefined, depth, later });
    // Keys do not count as values.
    this.#values--;
    if (typeof key !== 'string') throw wrongType(name, 'string');
    return key;
  }

  /** True at the break of an array or map of indefinite length; the break is consumed. */
  #ends(length: number): boolean {
    if (length !== Number.POSITIVE_INFINITY || this.#bytes[this.#at] !== breakByte) return false;
    this.#at++;
    return true;
  }

  #tagged(tag: number | bigint, place: ItemPlace): JsonValue {
    if (place.depth >= depthLimit) throw new DecodeError(`cbor: exceeded max nested level ${depthLimit}`);
    const number = Number(tag);
    if (bignumTags.has(number)) throw unacceptable('tag', 'bignum');
    const inside: ItemPlace = { ...place, depth: place.depth + 1, later: laterEncodings.get(number) ?? place.later };
    if (!timeTags.has(number)) return this.#item(inside);
    const type = nameIn(this.#bytes[this.#at] ?? 0);
    return taggedTime(number, this.#item({ ...inside, form: undefined, later: undefined }), type);
  }

  #simple(info: number, form: CborForm | undefined): JsonValue {
    if (info === 20 || info === 21) return info === 21;
    if (info === 22) return null;
    if (info === 25) return float(fromHalf(this.#bytes.readUInt16BE(this.#take(2))), form);
    if (info === 26) return float(this.#bytes.readFloatBE(this.#take(4)), form);
    if (info === 27) return float(this.#bytes.readDoubleBE(this.#take(8)), form);
    if (info === indefinite) throw unexpectedBreak();
    const value = info === 24 ? this.#byte() : info;
    if (info > 24) throw new DecodeError(`cbor: invalid additional information ${info} for type primitives`);
    if (info === 24 && value < 32) throw new DecodeError(`cbor: invalid simple value ${value} for type primitives`);
    throw unacceptable('primitives', `simple value ${value} is not recognized`);
  }

  #text(length: number, form: CborForm | undefined): string {
    const start = this.#at;
    const text = this.#string(majorType.text, length, 'utf8');
    // Invalid UTF-8 was decoded to the replacement character. Chunks of a text are checked
    // separately.
    const isChecked = length === Number.POSITIVE_INFINITY || !text.includes(replacement);
    if (!isChecked && !isUtf8(this.#bytes.subarray(start, this.#at))) throw notUtf8();
    if (form?.type === 'bytes') throw wrongType('UTF-8 text string', '[]uint8');
    return text;
  }

  /**
   * Decodes the content of a byte or text string. Invalid UTF-8 becomes U+FFFD, as in Go's JSON.
   */
  #string(type: number, length: number, encoding: BufferEncoding): string {
    if (length === Number.POSITIVE_INFINITY) return this.#chunks(type).toString(encoding);
    const start = this.#take(length);
    return this.#bytes.toString(encoding, start, start + length);
  }

  #chunks(type: number): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
      const first = this.#byte();
      if (first === breakByte) return Buffer.concat(chunks);
      const whole = `indefinite-length ${typeNames[type] ?? ''}`;
      if (first >> 5 !== type) throw new DecodeError(`cbor: wrong element type ${nameIn(first)} for ${whole}`);
      if ((first & 0x1f) === indefinite) throw new DecodeError(`cbor: ${whole} chunk is not definite-length`);
      const length = Number(this.#argument(type, first & 0x1f));
      const start = this.#take(length);
      const chunk = this.#bytes.subarray(start, start + length);
      if (++this.#values > this.#most) throw tooManyValues();
      if (type === majorType.text && !isUtf8(chunk)) throw notUtf8();
      chunks.push(chunk);
    }
  }

  /** Reads the argument of a head: a number if it is exact, otherwise a bigint. */
  #argument(type: number, info: number): number | bigint {
    if (info < 24) return info;
    if (info === 24) return this.#byte();
    if (info === 25) return this.#bytes.readUInt16BE(this.#take(2));
    if (info === 26) return this.#bytes.readUInt32BE(this.#take(4));
    if (info > 27) {
      throw new DecodeError(`cbor: invalid additional information ${info} for type ${typeNames[type] ?? ''}`);
    }
    const whole = this.#bytes.readBigUInt64BE(this.#take(8));
    return whole <= Number.MAX_SAFE_INTEGER ? Number(whole) : whole;
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  #take(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw unexpectedEnd();
    this.#at = start + count;
    return start;
  }
}

/** Sorts the keys as in Go's JSON; in CBOR shorter keys come first. */
function inOrder(object: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(object).toSorted()) setOwn(sorted, key, object[key] ?? null);
  return sorted;
}

/** The longest part of a key in messages. */
const shownKeyLimit = 64;

/** Returns the value of a negative integer. */
function negated(argument: number | bigint): number | bigint {
  if (typeof argument === 'bigint') return -1n - argument;
  const value = -1 - argument;
  return Number.isSafeInteger(value) ? value : BigInt(argument) * -1n - 1n;
}

function integer(value: number | bigint): number | bigint {
  if (typeof value === 'number' || (value <= largestInt64 && value >= smallestInt64)) return value;
  throw wrongType(value > 0n ? 'positive integer' : 'negative integer', 'int64', ` (${value} overflows Go's int64)`);
}

function float(value: number, form: CborForm | undefined): number {
  if (Number.isNaN(value)) throw unacceptable('primitives', 'floating-point NaN');
  if (!Number.isFinite(value)) throw unacceptable('primitives', 'floating-point infinity');
  if (form?.type === 'integer') throw wrongType('primitives', 'int64');
  return value;
}

/** Returns the encoding by which bytes become a string. */
function encodingIn({ form, later }: ItemPlace): BufferEncoding {
  return form?.type === 'bytes' && later ? 'base64' : (later ?? 'utf8');
}

function notUtf8(): DecodeError {
  return new DecodeError('cbor: invalid UTF-8 string');
}

function wrongType(name: string, wanted: string, why = ''): DecodeError {
  return new DecodeError(`cbor: cannot unmarshal ${name} into Go value of type ${wanted}${why}`);
}

function unacceptable(type: string, what: string): DecodeError {
  return new DecodeError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);
}

function unexpectedBreak(): DecodeError {
  return new DecodeError('cbor: unexpected "break" code');
}

function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}
