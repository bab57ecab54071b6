import { decodeJson } from '../../codec/decode-json.ts';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { indentJson } from './indent-json.ts';
import { objectInShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import { type Answer, sendBytes } from './send-bytes.ts';
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
  const json = representation.shape === 'object' ? object.json : objectInShape(call, representation, object);
  return sendBytes(call.exchange, { status, ...formatted(call.exchange, representation, json) });
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
