import type { Codec, ListEncoder, ListFrame } from '../../../src/codec/codec.ts';
import { DecodeError } from '../../../src/codec/decode-error.ts';
import { type Document, itemJsonOf, cachedEncoding } from '../../../src/codec/document.ts';
import { statusDocument } from '../../../src/codec/status-body.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';

/** The media type of the toy. */
export const toyType = 'application/vnd.toy';

const magic = Buffer.from('toy\0');

/** A toy and what it has done. */
export interface ToyCodec {
  readonly codec: Codec;
  /** Objects that were encoded, however often they were sent. */
  readonly encoded: () => number;
}

/**
 * A binary format that is unlike JSON in each respect that Protobuf is: a magic number, lists that
 * begin with their length, frames of a watch behind their lengths, kinds that it cannot express, and
 * encodings that are kept with the objects. Inside is the JSON in base64.
 */
export function toyCodec(unknownKind: string): ToyCodec {
  let encoded = 0;
  const body = (document: Document, json: () => Buffer): Buffer =>
    cachedEncoding(document, toyType, () => {
      encoded++;
      return base64(json());
    });
  const wrapped = (document: Document): Buffer => Buffer.concat([magic, base64(document.json)]);
  const codec: Codec = {
    mediaType: toyType,
    verbatim: false,
    knows: ({ kind }) => kind !== unknownKind,
    decodeObject: (bytes) => {
      if (!bytes.subarray(0, magic.length).equals(magic)) throw new DecodeError('no toy');
      return { value: parsed(bytes.subarray(magic.length)), duplicateFields: [] };
    },
    unreadable: (problem) => `the body is no toy: ${problem}`,
    encodeObject: (document) => [wrapped(document)],
    list: (frame) => listEncoder(frame, (document) => body(document, () => itemJsonOf(document, frame.typedItems))),
    watch: {
      mediaType: `${toyType};stream=watch`,
      frame: (type, document) => {
        const event = Buffer.concat([Buffer.from(`${type} `), wrapped(document)]);
        return [lengthOf(event.length), event];
      },
    },
    encodeStatus: (status) => wrapped(statusDocument(status)),
  };
  return { codec, encoded: () => encoded };
}

const join = Buffer.from('.');
const tail = Buffer.from('!');

function listEncoder({ head, field }: ListFrame, item: (document: Document) => Buffer): ListEncoder {
  const front = (itemsLength: number): Buffer => {
    const text = base64(Buffer.from(JSON.stringify({ ...head, field })));
    return Buffer.concat([magic, lengthOf(text.length), text, lengthOf(itemsLength)]);
  };
  return {
    sized: true,
    head: front,
    item: (document) => [item(document)],
    join,
    tail,
    empty: () => Buffer.concat([front(0), tail]),
  };
}

/** A document as a client of the toy reads it. */
export function readToy(bytes: Buffer): JsonValue {
  return parsed(withoutMagic(bytes));
}

/** A list as a client of the toy reads it. Throws where it is not as long as it announces. */
export function readToyList(bytes: Buffer): { readonly head: JsonValue; readonly items: readonly JsonValue[] } {
  const rest = withoutMagic(bytes);
  const headEnd = 4 + rest.readUInt32BE(0);
  const items = rest.subarray(headEnd + 4, headEnd + 4 + rest.readUInt32BE(headEnd));
  if (rest.subarray(headEnd + 4 + items.length).toString() !== '!') throw new Error('the length of the items is wrong');
  const texts = items.length === 0 ? [] : items.toString().split('.');
  return { head: parsed(rest.subarray(4, headEnd)), items: texts.map((text) => parsed(Buffer.from(text))) };
}

/** The whole frames of a watch as a client of the toy reads them. */
export function readToyFrames(bytes: Buffer): readonly { readonly type: string; readonly object: JsonValue }[] {
  const frames = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const frame = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at));
    const space = frame.indexOf(' ');
    frames.push({ type: frame.subarray(0, space).toString(), object: readToy(frame.subarray(space + 1)) });
    at += 4 + frame.length;
  }
  return frames;
}

/** A body in the toy format. */
export function writeToy(value: object): Buffer {
  return Buffer.concat([magic, base64(Buffer.from(JSON.stringify(value)))]);
}

function withoutMagic(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new Error('no toy');
  return bytes.subarray(magic.length);
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function base64(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('base64'));
}

function parsed(bytes: Buffer): JsonValue {
  return JSON.parse(Buffer.from(bytes.toString(), 'base64').toString());
}
