import { createGzip } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VersionedList } from '../../registry/registry.ts';
import { slabBytes } from '../../storage/item-slab.ts';
import type { Exchange } from '../request/exchange.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { drained } from './drained.ts';
import { indentJson } from './indent-json.ts';
import { layOutList, type ListLayout } from './join-items.ts';
import { listInShape } from './list-in-shape.ts';
import { listMetadata } from './list-metadata.ts';
import type { Representation } from './representation.ts';
import { formatted } from './respond-object.ts';
import { gzipLevel, gzipThresholdBytes, sendBytes } from './send-bytes.ts';
import { readAsStream } from './read-as-stream.ts';
import { standardHeaders } from './standard-headers.ts';
import { wantsPretty } from './wants-pretty.ts';

/** Bytes that are copied together at most. */
const chunkBytes = slabBytes;

/** How much of a list is written at a time: enough to be efficient, little enough to share the loop. */
const turnBytes = slabBytes;

/** Lists up to this length are written in one turn, which is half a millisecond: more turns would cost more. */
const oneTurnBytes = 2 * turnBytes;

/** Lists up to this length are answered in one piece. */
const wholeBytes = 64 * 1024;

const openObject = Buffer.from('{');

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
  const layout = layOutList(head, list);
  if (layout.length <= wholeBytes) {
    return sendBytes(exchange, { status: 200, contentType: 'application/json', body: joined(layout) });
  }
  return streamList(exchange, layout);
}

/** `{"kind":"SecretList","apiVersion":"v1","metadata":{...},"items":` */
export function listHead(call: ResourceCall, list: Parameters<typeof listMetadata>[0]): Buffer {
  const { kind, ...groupVersion } = kindOf(call);
  const listKind = call.subresource?.kind ? `${kind}List` : call.served.info.listKind;
  const metadata = listMetadata(list);
  const text = JSON.stringify({ kind: listKind, apiVersion: apiVersionOf(groupVersion), metadata });
  return Buffer.from(`${text.slice(0, -1)},"items":`);
}

function joined(layout: ListLayout): Buffer {
  const chunks = [...layout.pieces(chunkBytes)];
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

async function streamList(exchange: Exchange, { length, pieces }: ListLayout): Promise<void> {
  const { request, response, signal } = exchange;
  if (response.headersSent) return;
  const compress = length > gzipThresholdBytes && acceptsGzip(request.headers['accept-encoding']);
  const headers = standardHeaders(exchange, 'application/json');
  if (compress) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
  else headers.push('Content-Length', String(length));
  readAsStream(exchange);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const chunks = compress ? gzipped(pieces(chunkBytes)) : pieces(chunkBytes);
  let inTurn = 0;
  for await (const chunk of chunks) {
    if (signal.aborted) throw signal.reason;
    const hasRoom = response.write(chunk);
    inTurn += chunk.length;
    if (inTurn < turnBytes || length <= oneTurnBytes) continue;
    inTurn = 0;
    if (!hasRoom) await drained(response);
    else await nextTurn();
  }
  response.end();
}

/** Compresses off the main thread, one chunk at a time. */
export async function* gzipped(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level: gzipLevel });
  try {
    const feed = async (): Promise<void> => {
      for await (const chunk of chunks) {
        if (!gzip.write(chunk)) await drained(gzip);
      }
      gzip.end();
    };
    const fed = feed();
    // A failure to feed shows as an error of the stream that is read here.
    fed.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))));
    for await (const chunk of gzip) yield chunk;
    await fed;
  } finally {
    gzip.destroy();
  }
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
    return formatted(exchange, representation, joined(layOutList(head, list)));
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
