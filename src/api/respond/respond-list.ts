import type { ListEncoder } from '../../codec/codec.ts';
import { jsonCodec } from '../../codec/json-codec.ts';
import type { PagedList, VersionedList } from '../../registry/definition/registry.ts';
import type { ItemsJson } from '../../storage/objects/items-json.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { formatList, type ListSource, measureList } from './format-list.ts';
import { objectsFrame, shapeOfList } from './list-in-shape.ts';
import type { Representation } from './representation.ts';
import { isVerbatim, noteEncoding, receiverOf } from './respond-object.ts';
import { gzipThresholdBytes, sendBytes } from '../../http-protocol/responses/send-bytes.ts';
import { type KnownBody, streamResponse } from '../../http-protocol/responses/stream-response.ts';
import type { HttpExchange } from '../../http-protocol/requests/http-exchange.ts';

/** Lists up to this length are sent in one piece. */
const wholeBytes = 64 * 1024;

/**
 * Responds with a list. In the format of the store, the items are the stored bytes. In other
 * formats the items are encoded one by one, as the client reads them.
 */
export function respondList(call: ResourceCall, representation: Representation, list: VersionedList): Promise<void> {
  if (call.exchange.span) noteEncoding(call.exchange, representation);
  const json = isVerbatim(representation) ? list.json : undefined;
  const respond = () =>
    json ? respondJson(call, representation, list, json()) : respondFormatted(call, representation, list);
  if (!call.exchange.audit?.keepsResponse) return respond();
  return recordList(call, representation, list).then(respond);
}

/** Records a list in the shape of the response, but as JSON. */
async function recordList(call: ResourceCall, representation: Representation, list: VersionedList): Promise<void> {
  const { frame, item: shape, sort } = shapeOfList(call, representation, list);
  const items = sort ? await sort(list.items) : list.items;
  const chunks: Buffer[] = [];
  const source = { groups: [items], shape, receiver: receiverOf(call.exchange) };
  for await (const chunk of formatList(jsonCodec.list(frame), source)) chunks.push(chunk);
  call.exchange.audit?.responseObject(() => Buffer.concat(chunks));
}

/**
 * Responds with a list that is read from the store while it is sent, so that only one page is in
 * memory. It is not recorded for audit. If later pages are lost meanwhile, for example by
 * compaction, the connection is closed to show that the response is incomplete.
 */
export function respondPages(call: ResourceCall, representation: Representation, list: PagedList): Promise<void> {
  call.exchange.audit?.omittedObject();
  return respondFormatted(call, representation, list);
}

async function respondFormatted(
  call: ResourceCall,
  representation: Representation,
  list: VersionedList | PagedList,
): Promise<void> {
  const { exchange } = call;
  const { list: encoderOf, mediaType: contentType } = representation.codec;
  const { frame, item: shape, sort } = shapeOfList(call, representation, list);
  const groups = 'items' in list ? [sort ? await sort(list.items) : list.items] : list.pages;
  const encoder = encoderOf({ ...frame, count: 'items' in list ? list.items.length : undefined });
  const source = { groups, shape, receiver: receiverOf(exchange), cache: cacheOf(representation, list, encoder) };
  if (encoder.sized) return respondMeasured(exchange, contentType, measureList(encoder, source));
  return sendInChunks(exchange, { status: 200, contentType, chunks: formatList(encoder, source) });
}

/**
 * Returns the cache of a list's joined items. The rows of Tables change with time; YAML and
 * indented JSON are for people, who seldom read the same list twice.
 */
function cacheOf(
  { codec, shape, metaVersion, dropsManagers }: Representation,
  list: VersionedList | PagedList,
  { sized }: ListEncoder,
): ListSource['cache'] {
  const joined = 'joined' in list ? list.joined : undefined;
  const cached = (codec.verbatim || sized) && shape !== 'Table';
  return joined && cached
    ? { joined, format: `${codec.mediaType} ${shape} ${metaVersion} ${dropsManagers}` }
    : undefined;
}

async function respondMeasured(exchange: Exchange, contentType: string, list: Promise<KnownBody>): Promise<void> {
  const body = await list;
  exchange.signal.throwIfAborted();
  return sendKnown(exchange, contentType, body);
}

function respondJson(
  call: ResourceCall,
  { codec: { list: encoderOf, mediaType } }: Representation,
  list: VersionedList,
  items: ItemsJson,
): Promise<void> {
  return sendKnown(call.exchange, mediaType, bodyOf(encoderOf(objectsFrame(call, list)), items));
}

async function sendKnown(exchange: Exchange, contentType: string, body: KnownBody): Promise<void> {
  if (body.length > wholeBytes) return streamResponse(exchange, { status: 200, contentType, body });
  const whole = Buffer.concat([...body.chunks]);
  if (whole.length !== body.length) throw new Error(`the list has ${whole.length} bytes instead of ${body.length}`);
  return sendBytes(exchange, { status: 200, contentType, body: whole });
}

function bodyOf({ head, tail }: ListEncoder, items: ItemsJson): KnownBody {
  const front = head(items.length);
  const { length, release } = items;
  return { length: front.length + length + tail.length, chunks: chunksOf(front, items, tail), release };
}

function* chunksOf(front: Buffer, items: ItemsJson, tail: Buffer): Generator<Buffer> {
  yield front;
  yield* items.pieces();
  yield tail;
}

/** A response that is encoded while it is sent. */
interface FormattedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Sends a response from a generator of chunks. A short response is sent in one piece. A long one is
 * generated as the client reads, so that a slow client has only some chunks in memory. An error
 * after the start of a long response closes the connection.
 */
async function sendInChunks(exchange: HttpExchange, { chunks, ...answer }: FormattedResponse): Promise<void> {
  try {
    const first: Buffer[] = [];
    for (let size = 0; size <= gzipThresholdBytes; ) {
      const next = await chunks.next();
      exchange.signal.throwIfAborted();
      if (next.done) return await sendBytes(exchange, { ...answer, body: Buffer.concat(first) });
      first.push(next.value);
      size += next.value.length;
    }
    await streamResponse(exchange, { ...answer, body: rest(first, chunks) });
  } finally {
    await chunks.return();
  }
}

async function* rest(first: Buffer[], chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
  yield* chunks;
}
