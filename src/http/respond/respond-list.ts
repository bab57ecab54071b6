import type { PagedList, VersionedList } from '../../registry/registry.ts';
import type { ListLayout } from '../../storage/list-layout.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { formatList } from './format-list.ts';
import { listHead, shapeOfList } from './list-in-shape.ts';
import type { Representation } from './representation.ts';
import { isPlain } from './respond-object.ts';
import { sendBytes } from './send-bytes.ts';
import { sendInChunks } from './send-in-chunks.ts';
import { streamAnswer } from './stream-answer.ts';
import { textFormatOf } from './text-format.ts';

/** Lists up to this length are answered in one piece. */
const wholeBytes = 64 * 1024;

const contentType = 'application/json';

/**
 * Answers a list. In plain JSON the items are the stored bytes; every other form is made item by
 * item as its reader takes it.
 */
export function respondList(call: ResourceCall, representation: Representation, list: VersionedList): Promise<void> {
  if (!isPlain(call.exchange, representation)) return respondFormatted(call, representation, list, [list.items]);
  return respondLayout(call.exchange, listHead(call, list), list.layOut());
}

/**
 * Answers a list that is read as it is sent, so that no more than a page of it is in memory. A long
 * answer whose pages have been lost meanwhile is cut off, which shows its reader that it is not
 * whole.
 */
export function respondPages(call: ResourceCall, representation: Representation, list: PagedList): Promise<void> {
  return respondFormatted(call, representation, list, list.pages);
}

function respondFormatted(
  call: ResourceCall,
  representation: Representation,
  list: VersionedList | PagedList,
  groups: Parameters<typeof formatList>[2],
): Promise<void> {
  const { exchange } = call;
  const format = textFormatOf(exchange, representation);
  const chunks = formatList(format, shapeOfList(call, representation, list), groups);
  return sendInChunks(exchange, { status: 200, contentType: format.contentType, chunks });
}

/** A body of which each chunk is there when it is taken. */
interface ListBody {
  readonly length: number;
  readonly chunks: Iterable<Buffer>;
}

async function respondLayout(exchange: Exchange, head: Buffer, layout: ListLayout): Promise<void> {
  const body = bodyOf(head, layout);
  if (body.length > wholeBytes) return streamAnswer(exchange, { status: 200, contentType, body });
  const whole = Buffer.concat([...body.chunks]);
  if (whole.length !== body.length) throw new Error(`a list of ${body.length} bytes has ${whole.length}`);
  return sendBytes(exchange, { status: 200, contentType, body: whole });
}

const openItems = Buffer.from(',"items":[');
const end = Buffer.from(']}\n');

function bodyOf(head: Buffer, layout: ListLayout): ListBody {
  const front = Buffer.concat([head.subarray(0, -1), openItems]);
  return { length: front.length + layout.length + end.length, chunks: chunksOf(front, layout) };
}

function* chunksOf(front: Buffer, layout: ListLayout): Generator<Buffer> {
  yield front;
  yield* layout.pieces();
  yield end;
}
