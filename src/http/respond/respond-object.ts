import type { Codec } from '../../codec/codec.ts';
import { type Document, documentOfJson } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { formatInShares } from './format-list.ts';
import { objectInShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import { type Answer, gzipThresholdBytes, sendAsItIs, sendBytes } from './send-bytes.ts';

type RespondCall = Pick<ResourceCall, 'exchange' | 'served' | 'scope' | 'columns'>;

/** Documents up to this length are encoded in one turn: some 10 ms of work as YAML. */
const encodedAtOnceBytes = 16 * 1024;

/**
 * Answers one object. In the format that objects are stored in it is the stored bytes: nothing is
 * decoded.
 */
export function respondObject(
  call: RespondCall,
  representation: Representation,
  status: number,
  object: VersionedObject,
): Promise<void> | void {
  const { exchange } = call;
  const parts = isVerbatim(representation) ? object.inPlace : undefined;
  if (parts && parts.rest.length < gzipThresholdBytes) {
    const { front, rest: body } = parts;
    const contentType = representation.codec.mediaType;
    return sendAsItIs(exchange, { status, contentType, front, body, lineFeed: true });
  }
  const document = representation.shape === 'object' ? object : objectInShape(call, representation, object);
  return sendDocument(exchange, representation, status, document);
}

/**
 * Sends a document in the format of an answer. A long one is written in the share of the event loop
 * for that.
 */
function sendDocument(
  exchange: Exchange,
  { codec }: Representation,
  status: number,
  document: Document,
): Promise<void> | void {
  if (codec.verbatim || (document.size ?? document.json.length) <= encodedAtOnceBytes) {
    return sendBytes(exchange, { status, ...encoded(codec, document) });
  }
  return formatInShares(() => codec.encodeObject(document)).then((pieces) =>
    sendBytes(exchange, { status, contentType: codec.mediaType, body: joined(pieces) }),
  );
}

/** Whether an answer is the bytes of the object as they are stored. */
export function isVerbatim({ codec, shape }: Representation): boolean {
  return codec.verbatim && shape === 'object';
}

/** A short JSON document in the format of an answer. */
export function formatted({ codec }: Pick<Representation, 'codec'>, json: Buffer): AnswerBody {
  return encoded(codec, documentOfJson(json));
}

type AnswerBody = Pick<Answer, 'body' | 'contentType' | 'lineFeed'>;

function encoded(codec: Codec, document: Document): AnswerBody {
  const contentType = codec.mediaType;
  // The line feed is sent apart: to copy the document for it costs more.
  if (codec.verbatim) return { contentType, body: document.json, lineFeed: true };
  return { contentType, body: joined([...codec.encodeObject(document)]) };
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}
