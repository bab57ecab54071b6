import type { JsonObject } from '../../meta/json-value.ts';
import { DecodeError } from '../decode-error.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { WireReader, wireType } from './wire-reader.ts';

/** The first bytes of every body (spec 4.7). */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The body of a request: an encoded object and its type. */
interface Envelope {
  /** '' if it is not given. */
  readonly apiVersion: string;
  /** '' if it is not given. */
  readonly kind: string;
  /** The object. */
  readonly raw: Buffer;
}

/** Tags of the fields of `Unknown`. */
const tags = Object.freeze({
  typeMeta: delimited(1),
  raw: delimited(2),
  contentEncoding: delimited(3),
  contentType: delimited(4),
});

/** Tags of the fields of `TypeMeta`. */
const typeTags = Object.freeze({ apiVersion: delimited(1), kind: delimited(2) });

/** The bytes of a body after the object: two empty fields, which Go writes. */
export const envelopeTail: Buffer = Buffer.from([tags.contentEncoding, 0, tags.contentType, 0]);

/**
 * Returns the kind and apiVersion of an object to be sent; the documents of discovery for the group
 * without a name have no apiVersion. Throws if it has no kind.
 */
export function typeOf({ kind, apiVersion = '' }: JsonObject): { readonly kind: string; readonly apiVersion: string } {
  if (typeof kind === 'string' && typeof apiVersion === 'string') return { kind, apiVersion };
  throw new TypeError('an object without a kind cannot be encoded');
}

/** Writes the bytes of a body before the length of the object. */
export function writeEnvelopeHead(writer: ReverseWriter, apiVersion: string, kind: string): void {
  writer.varint(tags.raw);
  const before = writer.length;
  writer.text(kind);
  writer.varint(typeTags.kind);
  writer.text(apiVersion);
  writer.varint(typeTags.apiVersion);
  writer.varint(writer.length - before);
  writer.varint(tags.typeMeta);
  writer.raw(magic);
}

/**
 * Returns the object in a body with its length before it, as an item of field 2: `raw` of a body
 * has the number of `items` of a list.
 */
export function itemOf(body: Buffer): Buffer {
  const typeMetaLength = body[magic.length + 1] ?? 0;
  return body.subarray(magic.length + 2 + typeMetaLength, body.length - envelopeTail.length);
}

/** Parses a body. Throws `DecodeError`. */
export function readEnvelope(bytes: Buffer): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    const expected = [...magic].join(' ');
    throw new DecodeError(`provided data does not appear to be a protobuf message, expected prefix [${expected}]`);
  }
  // A message without fields is valid, but no client sends it: the rest of the body was lost.
  if (bytes.length === magic.length) throw new DecodeError('empty body');
  const fields = delimitedFields(bytes.subarray(magic.length));
  const typeMeta = delimitedFields(fields.get(tags.typeMeta) ?? noBytes);
  return {
    apiVersion: textIn(typeMeta, typeTags.apiVersion),
    kind: textIn(typeMeta, typeTags.kind),
    raw: fields.get(tags.raw) ?? noBytes,
  };
}

const noBytes = Buffer.alloc(0);

function delimited(number: number): number {
  return (number << 3) | wireType.delimited;
}

/** Returns the texts and messages among the fields of a message, by tag. */
function delimitedFields(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  const reader = new WireReader(bytes);
  reader.fields((tag) => {
    if ((tag & 7) !== wireType.delimited) return false;
    fields.set(tag, reader.bytes());
    return true;
  });
  return fields;
}

function textIn(fields: ReadonlyMap<number, Buffer>, tag: number): string {
  return fields.get(tag)?.toString('utf8') ?? '';
}
