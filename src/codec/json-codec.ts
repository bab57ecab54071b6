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
import { indentJson } from '../json/indent-json.ts';
import { JsonDecodeError } from './decode-error.ts';
import { statusJson } from './status-body.ts';

const mediaType = 'application/json';

/** The prefix of a watch event, by its type. All events share the buffers. */
const prefixes: Readonly<Record<WatchEventType, Buffer>> = Object.freeze({
  ADDED: prefixOf('ADDED'),
  MODIFIED: prefixOf('MODIFIED'),
  DELETED: prefixOf('DELETED'),
  BOOKMARK: prefixOf('BOOKMARK'),
  ERROR: prefixOf('ERROR'),
});

const suffix = Buffer.from('}\n');

/** An event is a line with the type and the object. The bytes of the object are used unchanged. */
const watch: WatchEncoder = {
  mediaType,
  isText: true,
  frame: (type, { json }) => [prefixes[type], json, suffix],
};

const reading: Pick<Codec, 'decodeObject' | 'unreadable'> = {
  decodeObject: decodeJsonObject,
  unreadable: jsonProblem,
};

const lineFeed = Buffer.from('\n');

/** Indented JSON (`pretty=true`), two spaces a level. */
const indented: Codec = {
  ...reading,
  mediaType,
  verbatim: false,
  encodeObject: ({ json }) => [indentJson(json)],
  list: indentedList,
  watch,
  encodeStatus: (status) => indentJson(Buffer.from(statusJson(status))),
};

/** Compact JSON. Objects are stored in this format, so that encoding one needs no work. */
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
    item: (document) => [itemJsonOf(document, frame.typedItems)],
    join: comma,
    tail: endOfList,
    empty: () => withField(frame, `${frame.empty}}\n`),
  };
}

/** List items are two levels deep. */
const itemDepth = 2;
const indentedComma = Buffer.from(',\n    ');

function indentedList(frame: ListFrame): ListEncoder {
  const opening = indentJson(withField(frame, '[0]}'));
  const cut = opening.lastIndexOf('0');
  return {
    sized: false,
    head: () => opening.subarray(0, cut),
    item: (document) => [indentJson(itemJsonOf(document, frame.typedItems), itemDepth)],
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

/** Parses a JSON body. An empty body is refused with the message of Go's parser. */
function decodeJsonObject(bytes: Buffer, { duplicates }: DecodeOptions): DecodedObject | Promise<DecodedObject> {
  if (bytes.length === 0) throw endOfInput();
  return decodeJsonBody(bytes, duplicates);
}

/**
 * Returns the error for an empty text. YAML has the same one, because kube-apiserver converts it to
 * JSON.
 */
export function endOfInput(): JsonDecodeError {
  return new JsonDecodeError('unexpected end of JSON input');
}

/** Returns the message for a text that cannot be parsed as an object. */
export function jsonProblem(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}
