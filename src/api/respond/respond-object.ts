import { andThen } from '../../async/maybe-promise.ts';
import type { Codec, Receiver } from '../../codec/codec.ts';
import type { Document } from '../../codec/document.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { encodedAtOnceBytes, formatInShares } from './format-list.ts';
import { withoutManagers } from './metadata-documents.ts';
import { objectInShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import { type CompleteResponse, sendBytes, sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { successStatus } from '../../codec/status-body.ts';

type RespondCall = Pick<ResourceCall, 'exchange' | 'served' | 'scope' | 'subresource'>;

/**
 * Responds with an object. In the format of the store, the stored bytes are sent without decoding.
 */
export function respondObject(
  call: RespondCall,
  representation: Representation,
  status: number,
  object: VersionedObject,
): Promise<void> | void {
  const { exchange } = call;
  if (exchange.span) noteEncoding(exchange, representation);
  if (exchange.audit?.keepsResponse) recordObject(call, representation, object);
  const sent = representation.dropsManagers ? withoutManagers(object) : object;
  const document = representation.shape === 'object' ? sent : objectInShape(call, representation, sent);
  return respondDocument(exchange, representation, status, document);
}

/** Records the start of encoding the response, for the span of the request. */
export function noteEncoding(exchange: Exchange, { codec }: Representation): void {
  exchange.encoding = { startMs: performance.now(), mediaType: codec.mediaType };
}

/** Records the object in the shape of the response, but as JSON. */
function recordObject(call: RespondCall, representation: Representation, object: VersionedObject): void {
  const { shape, dropsManagers } = representation;
  const sent = dropsManagers ? withoutManagers(object) : object;
  const document = shape === 'object' ? sent : objectInShape(call, representation, sent);
  call.exchange.audit?.responseObject(() => document.json);
}

/**
 * Sends a document in the format of the response. A long one is encoded in the thread of the
 * format, or within the time limit for formatting.
 */
export function respondDocument(
  exchange: Exchange,
  { codec }: Representation,
  status: number,
  document: Document,
): Promise<void> | void {
  if (codec.verbatim || (document.size ?? document.json.length) <= encodedAtOnceBytes) {
    return sendBytes(exchange, { status, ...encoded(codec, document) });
  }
  const body =
    codec.encodeInThread?.(document, receiverOf(exchange)) ??
    formatInShares(() => joined(codec.encodeObject(document)));
  return andThen(body, (bytes) => sendBytes(exchange, { status, contentType: codec.mediaType, body: bytes }));
}

/** Returns the user of a request and the end of its need for a response. */
export function receiverOf({ user, signal }: Pick<Exchange, 'user' | 'signal'>): Receiver {
  return { client: user.username, signal };
}

/** True if the response is the stored bytes of the object. */
export function isVerbatim({ codec, shape, dropsManagers }: Representation): boolean {
  return codec.verbatim && shape === 'object' && !dropsManagers;
}

type AnswerBody = Pick<CompleteResponse, 'body' | 'contentType' | 'lineFeed'>;

function encoded(codec: Codec, document: Document): AnswerBody {
  const contentType = codec.mediaType;
  // The line feed is sent separately, because appending it would copy the document.
  if (codec.verbatim) return { contentType, body: document.json, lineFeed: true };
  return { contentType, body: joined(codec.encodeObject(document)) };
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/**
 * Responds with a Status that is not an error. It is never transformed: a delete requested as a
 * Table also gets a Status.
 */
export function respondStatus(
  exchange: Exchange,
  { codec }: Representation,
  status: number,
  body: ReturnType<typeof successStatus>,
): void {
  exchange.audit?.answered({ status: 'Success', code: status });
  exchange.audit?.responseObject(() => JSON.stringify(body));
  sendAsItIs(exchange, { status, contentType: codec.mediaType, body: codec.encodeStatus(body) });
}
