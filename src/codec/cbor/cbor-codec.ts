import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type {
  Codec,
  DecodedObject,
  KindInVersion,
  ListEncoder,
  ListFrame,
  WatchEncoder,
  WatchEventType,
} from '../codec.ts';
import { type Document, cachedEncoding, valueOf } from '../document.ts';
import { kindSchema } from '../kind-schema.ts';
import { statusDocument } from '../status-body.ts';
import { type CborForm, objectForm } from './cbor-form.ts';
import { majorType, selfDescribed, simpleByte } from './cbor-head.ts';
import { CborReader } from './cbor-reader.ts';
import { CborWriter, sortedKeys } from './cbor-writer.ts';

const mediaType = 'application/cbor';

/** The media type of a sequence of documents (RFC 8742). */
const sequenceMediaType = 'application/cbor-seq';

/** The cache key of the encodings of list items without kind and apiVersion. */
const itemEncoding = `${mediaType};item`;

type FormOf = (kind: KindInVersion) => CborForm | undefined;

/**
 * Creates the codec of CBOR (RFC 8949), in the profile of kube-apiserver. An object is encoded once
 * in each version and the bytes are cached with it; gets and watches share them.
 */
export function createCborCodec(identifiers: Identifiers): Codec {
  const writer = new CborWriter();
  const formOf: FormOf = (kind) => {
    const schema = kindSchema(kind, identifiers);
    return schema && objectForm(schema);
  };
  const bodyOf = (document: Document): Buffer =>
    cachedEncoding(document, mediaType, () => encodeBody(writer, valueOf(document), formOf));
  return {
    mediaType,
    verbatim: false,
    decodeObject: (bytes, { kind }) => decodeBody(bytes, kind && formOf(kind)),
    unreadable: (problem) => `unable to determine group/version/kind: ${problem}`,
    encodeObject: (document) => [bodyOf(document)],
    list: (frame) => listEncoder(frame, writer, { bodyOf, formOf }),
    watch: watchEncoder(bodyOf),
    encodeStatus: (status) => bodyOf(statusDocument(status)),
  };
}

/**
 * Decodes a document of a client; `form` is the CBOR form of its kind, if known. Duplicate keys are
 * errors. Throws as `CborReader` does.
 */
export function decodeCbor(bytes: Buffer, form?: CborForm): DecodedObject {
  return { value: new CborReader(bytes).document(form), duplicateFields: [] };
}

/** Decodes a stored document; undefined if it is not CBOR. Throws as `decodeCbor` does. */
export function decodeStoredCbor(bytes: Buffer): JsonValue | undefined {
  if (!selfDescribed.equals(bytes.subarray(0, selfDescribed.length))) return undefined;
  return new CborReader(bytes, Number.POSITIVE_INFINITY).document(undefined);
}

/** Decodes a body, and yields to other requests after a large one. */
function decodeBody(bytes: Buffer, form: CborForm | undefined): MaybePromise<DecodedObject> {
  const start = performance.now();
  const decoded = decodeCbor(bytes, form);
  const turn = bytes.length > oneTurnBytes ? yieldIfLong(start) : undefined;
  return turn ? turn.then(() => decoded) : decoded;
}

/** The size of documents that are decoded within a few milliseconds. */
const oneTurnBytes = 256 * 1024;

function encodeBody(writer: CborWriter, value: JsonObject, formOf: FormOf): Buffer {
  writer.begin();
  writer.encoded(selfDescribed);
  writer.value(value, formOfObject(value, formOf));
  return writer.finish();
}

function formOfObject({ kind, apiVersion }: JsonObject, formOf: FormOf): CborForm | undefined {
  const groupVersion = typeof apiVersion === 'string' ? parseApiVersion(apiVersion) : undefined;
  return groupVersion && typeof kind === 'string' ? formOf({ ...groupVersion, kind }) : undefined;
}

/** The functions that encode the items of a list. */
interface ItemForms {
  readonly bodyOf: (document: Document) => Buffer;
  readonly formOf: FormOf;
}

const noBytes = Buffer.alloc(0);

/**
 * Encodes a list as a map, with the items at their place among the other fields, which are sorted.
 */
function listEncoder(
  { head, field, empty, count, typedItems }: ListFrame,
  writer: CborWriter,
  forms: ItemForms,
): ListEncoder {
  const keys = sortedKeys({ ...head, [field]: null });
  const at = keys.indexOf(field);
  const headUntil = (itemsHead: () => void): Buffer => {
    writer.begin();
    writer.encoded(selfDescribed);
    writer.head(majorType.map, keys.length);
    writer.entries(head, keys.slice(0, at), undefined);
    writer.key(field);
    itemsHead();
    return writer.finish();
  };
  writer.begin();
  writer.entries(head, keys.slice(at + 1), undefined);
  const after = writer.finish();
  const tail = count === undefined ? Buffer.concat([endOfArray, after]) : after;
  return {
    sized: false,
    head: () => headUntil(() => (count === undefined ? writer.raw(openArray) : writer.head(majorType.array, count))),
    item: typedItems
      ? (document) => [forms.bodyOf(document).subarray(selfDescribed.length)]
      : (document) => [
          cachedEncoding(document, itemEncoding, () => encodeItem(writer, valueOf(document), forms.formOf)),
        ],
    join: noBytes,
    tail,
    empty: () =>
      Buffer.concat([
        headUntil(() => (empty === 'null' ? writer.raw(simpleByte.null) : writer.head(majorType.array, 0))),
        after,
      ]),
  };
}

/** The first byte and the last byte of an array of indefinite length. */
const openArray = 0x9f;
const endOfArray = Buffer.from([0xff]);

function encodeItem(writer: CborWriter, value: JsonObject, formOf: FormOf): Buffer {
  const { kind: _, apiVersion: __, ...item } = value;
  writer.begin();
  writer.value(item, formOfObject(value, formOf));
  return writer.finish();
}

/** Encodes an event as a document with the type and the object, which is an embedded document. */
function watchEncoder(bodyOf: (document: Document) => Buffer): WatchEncoder {
  const prefixes: Partial<Record<WatchEventType, Buffer>> = {};
  return {
    mediaType: sequenceMediaType,
    frame: (type, document) => {
      prefixes[type] ??= eventPrefix(type);
      return [prefixes[type], bodyOf(document)];
    },
  };
}

function eventPrefix(type: WatchEventType): Buffer {
  const writer = new CborWriter();
  writer.encoded(selfDescribed);
  writer.head(majorType.map, 2);
  writer.entries({ type }, ['type'], undefined);
  writer.key('object');
  return writer.finish();
}
