import { Agent } from 'undici';
import { parse as parseYaml } from 'yaml';
import type { JsonValue } from '../../src/meta/json-value.ts';
import type { Method } from './sequence.ts';

/** A request as it is sent. */
export interface SentRequest {
  readonly method: Method;
  /** Encoded, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, as far as it is compared. A connection that breaks is an answer of status 0. */
export interface ApiResponse {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  /** Parsed where it is JSON or YAML, else its text. */
  readonly body: JsonValue;
}

/** One of the servers that are compared. */
export interface ApiTarget extends AsyncDisposable {
  send(request: SentRequest): Promise<ApiResponse>;
  /** Reads the documents of a watch until the signal ends it. */
  watch(path: string, signal: AbortSignal): Promise<AsyncIterable<JsonValue>>;
}

/** How long an answer may take: kube-apiserver reads thousands of namespaces one by one for a page of one. */
const responseTimeoutMs = 120_000;

/** Connects to a server on this machine: its certificate is not verified. */
export function connectTarget(url: string, token: string): ApiTarget {
  const agent = new Agent({
    connect: { rejectUnauthorized: false },
    bodyTimeout: 0,
    headersTimeout: responseTimeoutMs,
  });
  const authorization = `Bearer ${token}`;
  return {
    async send({ method, path, headers, body }) {
      try {
        const sent = { origin: url, path, method, headers: { authorization, ...headers }, ...(body ? { body } : {}) };
        const response = await agent.request(sent);
        const text = await response.body.text();
        return {
          status: response.statusCode,
          contentType: String(response.headers['content-type'] ?? ''),
          warnings: [response.headers['warning'] ?? []].flat(),
          body: parsed(text, String(response.headers['content-type'] ?? '')),
        };
      } catch (error) {
        return { status: 0, contentType: '', warnings: [], body: error instanceof Error ? error.message : '' };
      }
    },
    async watch(path, signal) {
      const { body } = await agent.request({ origin: url, path, method: 'GET', headers: { authorization }, signal });
      return documentsIn(body);
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

/** A value where the text is JSON or YAML: how it is spelled is the codec's business. */
function parsed(text: string, contentType = 'application/json'): JsonValue {
  try {
    return (contentType.includes('yaml') ? parseYaml(text) : JSON.parse(text)) as JsonValue;
  } catch {
    return text;
  }
}

async function* documentsIn(body: AsyncIterable<Buffer>): AsyncIterable<JsonValue> {
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parsed(line);
  }
}
