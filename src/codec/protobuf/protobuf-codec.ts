import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion, parseApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Codec, DecodedObject, DecodeOptions, KindInVersion, WatchEncoder, WatchEventType } from '../codec.ts';
import { type Document, cachedEncoding, valueOf } from '../document.ts';
import { kindSchema } from '../kind-schema.ts';
import { countValues, tooManyValues, valueLimit } from '../value-limit.ts';
import { statusDocument } from '../status-body.ts';
import { envelopeTail, readEnvelope, typeOf, writeEnvelopeHead } from './envelope.ts';
import { listEncoder } from './list-encoder.ts';
import { messageForm } from './message-form.ts';
import { ReverseWriter } from './reverse-writer.ts';
import type { MessageForm } from './wire-form.ts';
import { WireReader, wireType } from './wire-reader.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { newestRelease } from '../../scheme/api-release.ts';

/** Returns the schema of a kind; undefined for kinds without a message: Tables, custom kinds. */
function messageSchema(kind: KindInVersion, identifiers: Identifiers, release: string): ObjectSchema | undefined {
  return kind.kind === 'Table' ? undefined : kindSchema(kind, identifiers, release);
}

/**
 * Creates the codec of Protobuf (spec 4.7) for the kinds of proto/. An object is encoded once in
 * each version and the bytes are cached with it; gets, lists and watches share them. Fields that
 * the release does not have are neither read nor written.
 */
export function createProtobufCodec(identifiers: Identifiers, release: string = newestRelease): Codec {
  const mediaType = identifiers.protobufMediaType;
  const formOf = (kind: KindInVersion): MessageForm | undefined => {
    const schema = messageSchema(kind, identifiers, release);
    return schema && messageForm(schema);
  };
  const writer = new ReverseWriter();
  const bodyOf = (document: Document): Buffer =>
    cachedEncoding(document, mediaType, () => encodeBody(writer, valueOf(document), formOf));
  return {
    mediaType,
    verbatim: false,
    knows: (kind) => messageSchema(kind, identifiers, release) !== undefined,
    decodeObject: (bytes, options) =>
      decodeBody(bytes, options, { formOf, extensionPrefix: identifiers.schemaExtensionPrefix }),
    unreadable: (problem) => problem,
    encodeObject: (document) => [bodyOf(document)],
    list: (frame) => listEncoder(frame, writer, bodyOf),
    watch: watchEncoder(`${mediaType};stream=watch`, bodyOf),
    encodeStatus: (status) => bodyOf(statusDocument(status)),
  };
}

type FormOf = (kind: KindInVersion) => MessageForm | undefined;

function encodeBody(writer: ReverseWriter, value: JsonObject, formOf: FormOf): Buffer {
  const { kind, apiVersion } = typeOf(value);
  const form = formOf({ ...groupVersionOf(apiVersion), kind });
  if (!form) throw new TypeError(`${apiVersion} ${kind} has no message`);
  writer.clear();
  writer.raw(envelopeTail);
  const before = writer.length;
  form.write(writer, value);
  writer.varint(writer.length - before);
  writeEnvelopeHead(writer, apiVersion, kind);
  return writer.finish();
}

function groupVersionOf(apiVersion: string): Pick<KindInVersion, 'group' | 'version'> {
  return parseApiVersion(apiVersion) ?? { group: apiVersion, version: '' };
}

/** Decodes a body. The value of a kind without a message has only its kind; readers refuse it. */
function decodeBody(
  bytes: Buffer,
  { kind: expected, isStored = false }: DecodeOptions,
  { formOf, extensionPrefix }: { readonly formOf: FormOf; readonly extensionPrefix: string },
): DecodedObject {
  const envelope = readEnvelope(bytes);
  const kind = envelope.kind || (expected?.kind ?? '');
  const apiVersion = envelope.apiVersion || (expected ? formatApiVersion(expected.group, expected.version) : '');
  const value: JsonObject = { kind, apiVersion };
  const most = isStored ? Number.POSITIVE_INFINITY : undefined;
  const reader = new WireReader(envelope.raw, extensionPrefix, most);
  formOf({ ...groupVersionOf(apiVersion), kind })?.readInto(reader, value, 0);
  // Every value takes at least a byte.
  if (!isStored && bytes.length > valueLimit && countValues(value, valueLimit) > valueLimit) throw tooManyValues();
  // Messages have neither field, but a kind could: the envelope counts.
  return { value: Object.assign(value, { kind, apiVersion }), duplicateFields: [] };
}

/** The bytes of the length prefix of an event. */
const prefixBytes = 4;

/**
 * The frame of an event is its length in four bytes and a message `WatchEvent` without an envelope:
 * the type, and the object's body in a RawExtension.
 */
function watchEncoder(mediaType: string, bodyOf: (document: Document) => Buffer): WatchEncoder {
  const writer = new ReverseWriter();
  return {
    mediaType,
    lengthBytes: prefixBytes,
    frame: (type, document) => {
      const body = bodyOf(document);
      writeEventHead(writer, type, body.length);
      return [writer.finish(), body];
    },
  };
}

const watchTags = Object.freeze({ type: (1 << 3) | wireType.delimited, object: (2 << 3) | wireType.delimited });
const rawTag = (1 << 3) | wireType.delimited;

function writeEventHead(writer: ReverseWriter, type: WatchEventType, bodyLength: number): void {
  writer.varint(bodyLength);
  writer.varint(rawTag);
  writer.varint(writer.length + bodyLength);
  writer.varint(watchTags.object);
  writer.text(type);
  writer.varint(watchTags.type);
  const length = Buffer.alloc(prefixBytes);
  length.writeUInt32BE(writer.length + bodyLength);
  writer.raw(length);
}
