import { decodeJson } from '../../codec/decode-json.ts';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { indentJson } from './indent-json.ts';
import { objectInShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import { type Answer, gzipThresholdBytes, sendAsItIs, sendBytes } from './send-bytes.ts';
import { wantsPretty } from './wants-pretty.ts';
import type { Exchange } from '../request/exchange.ts';

type RespondCall = Pick<ResourceCall, 'exchange' | 'served' | 'scope' | 'columns'>;

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
  return sendBytes(exchange, { status, ...formatted(exchange, representation, json) });
}

/** Whether an answer is the bytes of the object as they are stored. */
function isPlain(exchange: Exchange, { format, shape }: Representation): boolean {
  return format === 'json' && shape === 'object' && !wantsPretty(exchange);
}

/** A JSON document in the format of an answer, indented where a person will read it. */
export function formatted(
  exchange: Exchange,
  { format }: Representation,
  json: Buffer,
): Pick<Answer, 'body' | 'contentType' | 'lineFeed'> {
  if (format === 'yaml') return { contentType: 'application/yaml', body: yamlOf(json) };
  if (wantsPretty(exchange)) return { contentType: 'application/json', body: indentJson(json) };
  return { contentType: 'application/json', body: json, lineFeed: true };
}

function yamlOf(json: Buffer): Buffer {
  return Buffer.from(encodeYaml(decodeJson(json, { duplicates: false }).value));
}
