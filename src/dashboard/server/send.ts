import { errorOfResponse } from '../../client/error-of-response.ts';
import { parseExactJson } from '../page/exact-json.ts';
import { chunksOf } from './chunks-of.ts';
import { session } from './session.ts';

/** A request to the server of this page. */
interface Sent {
  readonly method?: string;
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The largest response that is read as a whole. */
const mostBytes = 32 * 1024 * 1024;

/** The largest error that is read. */
const mostErrorBytes = 1024 * 1024;

/** A response with more bytes than the page reads. */
export class ResponseTooLarge extends Error {
  constructor(limit: number) {
    super(`the response has more than ${limit} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/**
 * Sends a request. Throws StatusError for a refusal, and the error of `fetch` if the server cannot
 * be reached. A 401 ends the session.
 */
export async function send(path: string, sent: Sent = {}): Promise<Response> {
  const { method = 'GET', accept = 'application/json', contentType, body, signal } = sent;
  const headers = new Headers({ Accept: accept });
  if (contentType !== undefined) headers.set('Content-Type', contentType);
  if (session.token !== '') headers.set('Authorization', `Bearer ${session.token}`);
  const response = await fetch(path, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    cache: 'no-store',
    redirect: 'error',
  });
  if (response.ok) return response;
  const text = await readText(response, mostErrorBytes);
  const error = errorOfResponse(response.status, text, response.headers.get('Retry-After') ?? undefined);
  if (response.status === 401) session.onRefused(error.message);
  throw error;
}

/**
 * Sends a request and reads a JSON value of the form that the caller knows. Throws ResponseTooLarge
 * for more bytes than a page can bear.
 */
export async function sendJson<Value>(path: string, sent: Sent = {}): Promise<Value> {
  const response = await send(path, sent);
  return parseExactJson(await readText(response, mostBytes)) as Value;
}

/** Reads the text of a response. Throws ResponseTooLarge if it has more bytes than the limit. */
export async function readText(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of chunksOf(response.body)) {
    bytes += chunk.length;
    if (bytes > limit) throw new ResponseTooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
