import type {
  Codec,
  DecodedObject,
  DecodeOptions,
  ListEncoder,
  ListFrame,
  WatchEncoder,
  WatchEventType,
} from './codec.ts';
import { decodeJsonBody } from './decode-large.ts';
import { itemJsonOf } from './document.ts';
import { encodeJson } from './encode-json.ts';
import { indentJson } from './indent-json.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import { statusJson } from './status-body.ts';

const mediaType = 'application/json';

/** The prefix of a watch event, by its type. The buffers are the same for each event. */
const prefixes: Readonly<Record<WatchEventType, Buffer>> = Object.freeze({
  ADDED: prefixOf('ADDED'),
  MODIFIED: prefixOf('MODIFIED'),
  DELETED: prefixOf('DELETED'),
  BOOKMARK: prefixOf('BOOKMARK'),
  ERROR: prefixOf('ERROR'),
});

const suffix = Buffer.from('}\n');

/** An event is a line that holds the type and the object, whose bytes are used as they are. */
const watch: WatchEncoder = {
  mediaType,
  frame: (type, { json }) => [prefixes[type], json, suffix],
};

const reading: Pick<Codec, 'decodeObject' | 'unreadable'> = {
  decodeObject: decodeJsonObject,
  unreadable: jsonProblem,
};

const lineFeed = Buffer.from('\n');

/** JSON for people (`pretty=true`): indented by two spaces a level. */
const indented: Codec = {
  ...reading,
  mediaType,
  verbatim: false,
  encodeObject: ({ json }) => [indentJson(json)],
  list: indentedList,
  watch,
  encodeStatus: (status) => indentJson(Buffer.from(statusJson(status))),
};

/** JSON, in which objects are stored: to encode one is no work. */
export const jsonCodec: Codec = {
  ...reading,
  mediaType,
  verbatim: true,
  pretty: indented,
  encodeObject: ({ json }) => [json, lineFeed],
  list: compactList,
  watch,
  encodeStatus: (status) => Buffer.from(`${statusJson(status)}\n`),
};

const comma = Buffer.from(',');
const endOfList = Buffer.from(']}\n');

function compactList(frame: ListFrame): ListEncoder {
  return {
    sized: false,
    head: () => withField(frame, '['),
    item: (document) => [itemJsonOf(document)],
    join: comma,
    tail: endOfList,
    empty: () => withField(frame, `${frame.empty}}\n`),
  };
}

/** Items are two levels deep. */
const itemDepth = 2;
const indentedComma = Buffer.from(',\n    ');

function indentedList(frame: ListFrame): ListEncoder {
  const opening = indentJson(withField(frame, '[0]}'));
  const cut = opening.lastIndexOf('0');
  return {
    sized: false,
    head: () => opening.subarray(0, cut),
    item: (document) => [indentJson(itemJsonOf(document), itemDepth)],
    join: indentedComma,
    tail: opening.subarray(cut + 1),
    empty: () => indentJson(withField(frame, `${frame.empty}}`)),
  };
}

function withField({ head, field }: ListFrame, rest: string): Buffer {
  const withoutBrace = encodeJson(head).slice(0, -1);
  return Buffer.from(`${withoutBrace},${JSON.stringify(field)}:${rest}`);
}

function prefixOf(type: WatchEventType): Buffer {
  return Buffer.from(`{"type":"${type}","object":`);
}

/** The reader of JSON bodies; a body of no bytes is refused in the words of Go's parser. */
function decodeJsonObject(bytes: Buffer, { duplicates }: DecodeOptions): DecodedObject | Promise<DecodedObject> {
  if (bytes.length === 0) throw endOfInput();
  return decodeJsonBody(bytes, duplicates);
}

/** The error of a text without a document. YAML is converted to JSON and has the same. */
export function endOfInput(): JsonDecodeError {
  return new JsonDecodeError('unexpected end of JSON input');
}

/** The problem of a text in which no object is found. */
export function jsonProblem(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}
