import { decodeJson } from '../../codec/decode-json.ts';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import { yamlPieces } from '../../codec/yaml-pieces.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import type { Exchange } from '../request/exchange.ts';
import { indentJson } from './indent-json.ts';
import type { Representation } from './representation.ts';
import { wantsPretty } from './wants-pretty.ts';

/** A list without its items, and the field that they are in. */
export interface ListFrame {
  /** `{"kind":...,...}` */
  readonly head: Buffer;
  readonly field: string;
  /** What stands there where it has none. */
  readonly empty: '[]' | 'null';
}

/** The text around the items of a list. */
interface FrameText {
  readonly front: Buffer;
  readonly between: Buffer;
  readonly end: Buffer;
  /** The whole of a list without items. */
  readonly empty: Buffer;
}

/** How answers are written as text. */
export interface TextFormat {
  readonly contentType: string;
  readonly frame: (frame: ListFrame) => FrameText;
  /**
   * An item of a list, in pieces of some milliseconds of work that are made when they are taken.
   */
  readonly item: (json: Buffer) => Iterable<Buffer>;
  /** A document of its own, likewise. */
  readonly document: (json: Buffer) => Iterable<Buffer>;
}

const lineFeed = Buffer.from('\n');

const compact: TextFormat = {
  contentType: 'application/json',
  frame: (frame) => ({
    front: withField(frame, '['),
    between: Buffer.from(','),
    end: Buffer.from(']}\n'),
    empty: withField(frame, `${frame.empty}}\n`),
  }),
  item: (json) => [json],
  document: (json) => [json, lineFeed],
};

const pretty: TextFormat = {
  contentType: 'application/json',
  frame: (frame) => {
    const opening = indentJson(withField(frame, '[0]}'));
    const cut = opening.lastIndexOf('0');
    return {
      front: opening.subarray(0, cut),
      between: Buffer.from(',\n    '),
      end: opening.subarray(cut + 1),
      empty: indentJson(withField(frame, `${frame.empty}}`)),
    };
  },
  item: (json) => [indentJson(json, 2)],
  document: (json) => [indentJson(json)],
};

const yaml: TextFormat = {
  contentType: 'application/yaml',
  frame: ({ head, field, empty }) => {
    const text = encodeYaml(valueOf(head));
    const nothing = Buffer.alloc(0);
    return {
      front: Buffer.from(`${text}${field}:\n`),
      between: nothing,
      end: nothing,
      empty: Buffer.from(`${text}${field}: ${empty}\n`),
    };
  },
  item: (json) => piecesOf([valueOf(json)]),
  document: (json) => piecesOf(valueOf(json)),
};

/** The format of an answer, indented where a person will read it. */
export function textFormatOf(exchange: Exchange, { format }: Representation): TextFormat {
  if (format === 'yaml') return yaml;
  return wantsPretty(exchange) ? pretty : compact;
}

function withField({ head, field }: ListFrame, rest: string): Buffer {
  return Buffer.concat([head.subarray(0, -1), Buffer.from(`,${JSON.stringify(field)}:${rest}`)]);
}

function valueOf(json: Buffer): JsonValue {
  return decodeJson(json, { duplicates: false }).value;
}

function* piecesOf(value: JsonValue): Generator<Buffer> {
  for (const piece of yamlPieces(value)) if (piece !== '') yield Buffer.from(piece);
}
