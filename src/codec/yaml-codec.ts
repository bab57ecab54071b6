import type { JsonObject } from '../meta/json-value.ts';
import { compareYamlKeys } from './compare-yaml-keys.ts';
import type { Codec, DecodedObject, DecodeOptions, ListEncoder, ListFrame } from './codec.ts';
import { decodeYamlBody, yamlWorkerFor } from './decode-large.ts';
import { type Document, itemJsonOf } from './document.ts';
import { encodeYaml, yamlOfJson } from './encode-yaml.ts';
import { endOfInput, jsonProblem } from './json-codec.ts';
import { statusDocument } from './status-body.ts';

/**
 * YAML. It has no `pretty` form, because it is always indented, and no streams. Documents are
 * written from their JSON, large ones in the threads that read large YAML.
 */
export const yamlCodec: Codec = {
  mediaType: 'application/yaml',
  verbatim: false,
  decodeObject: decodeYamlObject,
  unreadable: jsonProblem,
  encodeObject: ({ json }) => [yamlOfJson(json)],
  encodeInThread: ({ json }, receiver) => yamlWorkerFor(json.length).encode(json, receiver),
  list: yamlList,
  encodeStatus: (status) => yamlOfJson(statusDocument(status).json),
};

const nothing = Buffer.alloc(0);

function yamlList(frame: ListFrame): ListEncoder {
  const { head, field, empty } = frame;
  const [before, after] = around(head, field);
  return {
    sized: false,
    head: () => Buffer.from(`${before}${field}:\n`),
    // Items are encoded as a sequence; YAML sequences are concatenated without a separator.
    item: (document) => [yamlOfJson(sequenceOf([document], frame))],
    itemsInThread: (documents, receiver) => {
      const json = sequenceOf(documents, frame);
      return yamlWorkerFor(json.length).encode(json, receiver);
    },
    join: nothing,
    tail: Buffer.from(after),
    empty: () => Buffer.from(`${before}${field}: ${empty}\n${after}`),
  };
}

/** The YAML of the fields before and after the items of a list. */
function around(head: JsonObject, field: string): readonly [before: string, after: string] {
  const entries = Object.entries(head);
  const isBefore = ([name]: (typeof entries)[number]) => compareYamlKeys(name, field) < 0;
  const textOf = (part: typeof entries) => (part.length === 0 ? '' : encodeYaml(Object.fromEntries(part)));
  return [textOf(entries.filter(isBefore)), textOf(entries.filter((entry) => !isBefore(entry)))];
}

const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

/** Returns the JSON of a list of items. */
function sequenceOf(documents: readonly Document[], { typedItems }: ListFrame): Buffer {
  const parts = documents.flatMap((document, index) => [
    index === 0 ? opening : comma,
    itemJsonOf(document, typedItems),
  ]);
  return Buffer.concat([...parts, closing]);
}

function decodeYamlObject(bytes: Buffer, { client = '' }: DecodeOptions): DecodedObject | Promise<DecodedObject> {
  if (bytes.length === 0) throw endOfInput();
  return decodeYamlBody(bytes, client);
}
