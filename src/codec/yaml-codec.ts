import type { JsonValue } from '../meta/json-value.ts';
import type { Codec, DecodedObject, DecodeOptions, ListEncoder, ListFrame } from './codec.ts';
import { decodeYamlBody } from './decode-large.ts';
import { itemValueOf, valueOf } from './document.ts';
import { encodeYaml } from './encode-yaml.ts';
import { endOfInput, jsonProblem } from './json-codec.ts';
import { statusDocument } from './status-body.ts';
import { yamlPieces } from './yaml-pieces.ts';

/** YAML. It has no `pretty` form, because it is always indented, and no streams. */
export const yamlCodec: Codec = {
  mediaType: 'application/yaml',
  verbatim: false,
  decodeObject: decodeYamlObject,
  unreadable: jsonProblem,
  encodeObject: (document) => piecesOf(valueOf(document)),
  list: yamlList,
  encodeStatus: (status) => Buffer.from(encodeYaml(valueOf(statusDocument(status)))),
};

const nothing = Buffer.alloc(0);

function yamlList(frame: ListFrame): ListEncoder {
  const { head, field, empty } = frame;
  const text = encodeYaml(head);
  return {
    sized: false,
    head: () => Buffer.from(`${text}${field}:\n`),
    // Each item is encoded as a sequence of one item; YAML sequences are concatenated without a
    // separator.
    item: (document) => piecesOf([itemValueOf(document, frame.typedItems)]),
    join: nothing,
    tail: nothing,
    empty: () => Buffer.from(`${text}${field}: ${empty}\n`),
  };
}

function* piecesOf(value: JsonValue): Generator<Buffer> {
  for (const piece of yamlPieces(value)) if (piece !== '') yield Buffer.from(piece);
}

function decodeYamlObject(bytes: Buffer, { client = '' }: DecodeOptions): DecodedObject | Promise<DecodedObject> {
  if (bytes.length === 0) throw endOfInput();
  return decodeYamlBody(bytes, client);
}
