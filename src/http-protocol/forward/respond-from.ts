import { StatusError } from '../../status/status-error.ts';
import type { HttpExchange } from '../requests/http-exchange.ts';
import { flushHead } from '../responses/flush-head.ts';
import { standardHeaders } from '../responses/standard-headers.ts';
import { workAroundPausedParser } from '../responses/work-around-paused-parser.ts';
import { writeChunks } from '../responses/write-chunks.ts';
import type { PassedHeaders } from './forwarded-headers.ts';
import { announceTrailers, passTrailers, type Trailers } from './trailers.ts';

/** A response that is passed on. */
export interface PassedResponse {
  readonly status: number;
  readonly headers: PassedHeaders;
  readonly body: AsyncIterable<Buffer>;
  /** The trailers; absent: there are none. */
  readonly trailers?: Trailers;
}

/** Standard headers of which the backend's value is not added. */
const replaced: ReadonlySet<string> = new Set(['audit-id', 'x-content-type-options']);

/**
 * Responds with the response of another server, chunk by chunk as it arrives and as the client
 * reads it. If it breaks off, so does the response to the client.
 */
export async function respondFrom(exchange: HttpExchange, passed: PassedResponse): Promise<void> {
  const { status, body, trailers } = passed;
  start(exchange, passed);
  await passBody(exchange, body);
  await exchange.audit?.responding(status);
  exchange.audit?.flush();
  if (trailers) passTrailers(exchange, trailers);
  exchange.response.end();
}

/** Starts the response with the standard headers and the headers of the backend. */
function start(exchange: HttpExchange, { status, headers, trailers }: PassedResponse): void {
  const { response } = exchange;
  exchange.audit?.started(status);
  workAroundPausedParser(exchange);
  response.statusCode = status;
  const hasLength = headers.has('content-length');
  const announced = trailers ? announceTrailers(exchange, { status, hasLength }, trailers) : [];
  const standard = [...standardHeaders(exchange, undefined), ...announced];
  for (const { name, values } of joined(standard, headers).values()) {
    response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  }
  flushHead(response);
}

function joined(standard: readonly string[], passed: PassedHeaders): PassedHeaders {
  const all: PassedHeaders = new Map();
  const add = (name: string, values: readonly string[]): void => {
    const known = all.get(name.toLowerCase());
    if (known) known.values.push(...values);
    else all.set(name.toLowerCase(), { name, values: [...values] });
  };
  for (let index = 0; index < standard.length; index += 2) add(standard[index] ?? '', [standard[index + 1] ?? '']);
  for (const [lower, { name, values }] of passed) if (!replaced.has(lower)) add(name, values);
  return all;
}

async function passBody(exchange: HttpExchange, body: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const chunk of body) await writeChunks(exchange, [chunk]);
  } catch (error) {
    exchange.signal.throwIfAborted();
    const message = 'the response of the backend ended early';
    throw new StatusError('ServiceUnavailable', message, { cause: error });
  }
}
