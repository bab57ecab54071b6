import type { VersionedObject } from '../../registry/registry.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { formatInShares } from './format-list.ts';
import { objectInShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import { type Answer, gzipThresholdBytes, sendAsItIs, sendBytes } from './send-bytes.ts';
import { textFormatOf } from './text-format.ts';
import { wantsPretty } from './wants-pretty.ts';

type RespondCall = Pick<ResourceCall, 'exchange' | 'served' | 'scope' | 'columns'>;

/** Documents up to this length are formatted in one piece: some 10 ms of work as YAML. */
const formattedAtOnceBytes = 16 * 1024;

/** Answers one object. Plain JSON is the stored bytes and a newline: nothing is decoded. */
export function respondObject(
  call: RespondCall,
  representation: Representation,
  status: number,
  object: VersionedObject,
): Promise<void> | void {
  const { exchange } = call;
  const parts = isPlain(exchange, representation) ? object.inPlace : undefined;
  if (parts && parts.rest.length < gzipThresholdBytes) {
    const { front, rest: body } = parts;
    return sendAsItIs(exchange, { status, contentType: 'application/json', front, body, lineFeed: true });
  }
  const json = representation.shape === 'object' ? object.json : objectInShape(call, representation, object);
  return sendDocument(exchange, representation, status, json);
}

/** Sends a JSON document in the format of an answer. A long one is formatted in the share of the event loop for that. */
export function sendDocument(
  exchange: Exchange,
  representation: Representation,
  status: number,
  json: Buffer,
): Promise<void> | void {
  if (representation.format === 'json' || json.length <= formattedAtOnceBytes) {
    return sendBytes(exchange, { status, ...formatted(exchange, representation, json) });
  }
  const { contentType, document } = textFormatOf(exchange, representation);
  return formatInShares(() => document(json)).then((pieces) =>
    sendBytes(exchange, { status, contentType, body: Buffer.concat(pieces) }),
  );
}

/** Whether an answer is the bytes of the object as they are stored. */
export function isPlain(exchange: Exchange, { format, shape }: Representation): boolean {
  return format === 'json' && shape === 'object' && !wantsPretty(exchange);
}

/** A short JSON document in the format of an answer, indented where a person will read it. */
export function formatted(
  exchange: Exchange,
  representation: Representation,
  json: Buffer,
): Pick<Answer, 'body' | 'contentType' | 'lineFeed'> {
  if (representation.format === 'json' && !wantsPretty(exchange)) {
    return { contentType: 'application/json', body: json, lineFeed: true };
  }
  const { contentType, document } = textFormatOf(exchange, representation);
  const pieces = [...document(json)];
  return { contentType, body: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces) };
}
