import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VersionedList } from '../../registry/registry.ts';
import type { ListLayout } from '../../storage/list-layout.ts';
import type { Exchange } from '../request/exchange.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { indentJson } from './indent-json.ts';
import { listInShape } from './list-in-shape.ts';
import { listMetadata } from './list-metadata.ts';
import type { Representation } from './representation.ts';
import { formatted } from './respond-object.ts';
import { sendBytes } from './send-bytes.ts';
import { streamAnswer } from './stream-answer.ts';
import { wantsPretty } from './wants-pretty.ts';

/** Bytes that are formatted before others get a turn. */
const chunkBytes = 512 * 1024;

/** Lists up to this length are answered in one piece. */
const wholeBytes = 64 * 1024;

const openObject = Buffer.from('{');
const openArray = Buffer.from('[');
const end = Buffer.from(']}\n');

/** Answers a list. In plain JSON the items are the stored bytes, joined in chunks as the client takes them. */
export async function respondList(
  call: ResourceCall,
  representation: Representation,
  list: VersionedList,
): Promise<void> {
  const { exchange } = call;
  if (representation.shape !== 'object') {
    const json = await listInShape(call, representation, list);
    return sendBytes(exchange, { status: 200, ...formatted(exchange, representation, json) });
  }
  const head = listHead(call, list);
  if (representation.format === 'yaml' || wantsPretty(exchange)) {
    return sendBytes(exchange, { status: 200, ...(await formattedList(exchange, representation, head, list)) });
  }
  return respondLayout(exchange, head, list.layOut());
}

/** `{"kind":"SecretList","apiVersion":"v1","metadata":{...},"items":` */
export function listHead(call: ResourceCall, list: Parameters<typeof listMetadata>[0]): Buffer {
  const { kind, ...groupVersion } = kindOf(call);
  const listKind = call.subresource?.kind ? `${kind}List` : call.served.info.listKind;
  const metadata = listMetadata(list);
  const text = JSON.stringify({ kind: listKind, apiVersion: apiVersionOf(groupVersion), metadata });
  return Buffer.from(`${text.slice(0, -1)},"items":`);
}

/** A list in plain JSON, as one answer or as a stream. */
async function respondLayout(exchange: Exchange, head: Buffer, layout: ListLayout): Promise<void> {
  const body = bodyOf(head, layout);
  const contentType = 'application/json';
  if (body.length > wholeBytes) return streamAnswer(exchange, { status: 200, contentType, body });
  const whole = Buffer.concat([...body.chunks]);
  if (whole.length !== body.length) throw new Error(`a list of ${body.length} bytes has ${whole.length}`);
  return sendBytes(exchange, { status: 200, contentType, body: whole });
}

function bodyOf(head: Buffer, layout: ListLayout): { readonly length: number; readonly chunks: Iterable<Buffer> } {
  return {
    length: head.length + openArray.length + layout.length + end.length,
    chunks: chunksOf(Buffer.concat([head, openArray]), layout),
  };
}

function* chunksOf(front: Buffer, layout: ListLayout): Generator<Buffer> {
  yield front;
  yield* layout.pieces();
  yield end;
}

/** A list that is reformatted item by item, so that a long one does not hold up everybody else. */
async function formattedList(
  exchange: Exchange,
  representation: Representation,
  head: Buffer,
  list: VersionedList,
): Promise<ReturnType<typeof formatted>> {
  const { items } = list;
  if (representation.format === 'yaml') {
    return formatted(exchange, representation, Buffer.concat([...bodyOf(head, list.layOut()).chunks]));
  }
  if (items.length === 0) {
    return formatted(exchange, representation, Buffer.concat([head, Buffer.from('[]}')]));
  }
  const opening = indentJson(Buffer.concat([head, Buffer.from('[0]}')]));
  const cut = opening.lastIndexOf('0');
  const pieces: Buffer[] = [opening.subarray(0, cut)];
  let size = 0;
  for (const [index, { json, itemStart }] of items.entries()) {
    if (index > 0) pieces.push(Buffer.from(',\n    '));
    const item = itemStart === 0 ? json : Buffer.concat([openObject, json.subarray(itemStart)]);
    pieces.push(indentJson(item, 2));
    size += item.length;
    if (size > chunkBytes) {
      size = 0;
      await nextTurn();
    }
  }
  pieces.push(opening.subarray(cut + 1));
  return { contentType: 'application/json', body: Buffer.concat(pieces) };
}
