import { encodeJson } from '../../codec/encode-json.ts';
import { listItems } from '../../registry/list.ts';
import type { PagedList, VersionedObject } from '../../registry/registry.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { drained } from './drained.ts';
import { shapeOfList } from './list-in-shape.ts';
import { decoded } from './object-in-shape.ts';
import { gzipped } from './gzipped.ts';
import type { Representation } from './representation.ts';
import { listHead, respondList } from './respond-list.ts';
import { readAsStream } from './read-as-stream.ts';
import { standardHeaders } from './standard-headers.ts';
import { wantsPretty } from './wants-pretty.ts';

const openObject = Buffer.from('{');
const comma = Buffer.from(',');
const end = Buffer.from(']}\n');

/**
 * Answers a list that is read as it is sent, so that no more than a page of it is in memory. An answer whose pages have been lost
 * meanwhile is cut off, which shows its reader that it is not whole. Only what people read is gathered first.
 */
export async function respondPages(call: ResourceCall, representation: Representation, list: PagedList): Promise<void> {
  const { exchange } = call;
  if (representation.format === 'yaml' || wantsPretty(exchange)) {
    return respondList(call, representation, { ...list, ...listItems(await gathered(list)) });
  }
  const written = representation.shape === 'object' ? asObjects(call, list) : inShape(call, representation, list);
  const { request, response, signal } = exchange;
  if (response.headersSent) return;
  const compress = acceptsGzip(request.headers['accept-encoding']);
  const headers = standardHeaders(exchange, 'application/json');
  if (compress) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
  readAsStream(exchange);
  response.writeHead(200, headers);
  const chunks = chunksOf(written, list);
  for await (const chunk of compress ? gzipped(chunks) : chunks) {
    if (signal.aborted) throw signal.reason;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

async function gathered({ pages }: PagedList): Promise<readonly VersionedObject[]> {
  const items: VersionedObject[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** How a list is written: what stands before the items, and the items of a page with their commas. */
interface WrittenList {
  readonly front: Buffer;
  readonly join: (items: readonly VersionedObject[]) => Buffer;
}

async function* chunksOf({ front, join }: WrittenList, { pages }: PagedList): AsyncGenerator<Buffer, void, undefined> {
  let before = front;
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield before;
    yield join(items);
    before = comma;
  }
  yield before === front ? Buffer.concat([front, end]) : end;
}

function asObjects(call: ResourceCall, list: PagedList): WrittenList {
  return { front: Buffer.concat([listHead(call, list), Buffer.from('[')]), join: joined };
}

function joined(items: readonly VersionedObject[]): Buffer {
  const parts = items.flatMap(({ json, itemStart }, index) => [
    ...(index === 0 ? [] : [comma]),
    ...(itemStart === 0 ? [json] : [openObject, json.subarray(itemStart)]),
  ]);
  return Buffer.concat(parts);
}

function inShape(call: ResourceCall, representation: Representation, list: PagedList): WrittenList {
  const { head, field, make } = shapeOfList(call, representation, list);
  return {
    front: Buffer.from(`${encodeJson(head).slice(0, -1)},${JSON.stringify(field)}:[`),
    join: (items) => Buffer.from(items.map((item) => encodeJson(make(decoded(item)))).join(',')),
  };
}
