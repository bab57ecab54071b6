import { Agent } from 'undici';
import type { TestServer } from '../../src/testing/index.ts';

/** An answer, its body parsed where it is JSON. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: unknown;
  readonly text: string;
}

/** Where requests go and as whom; through the pool of the server, if there is no agent. */
export type Target = Pick<TestServer, 'url' | 'ca' | 'token'> & { readonly agent?: Agent };

/** A test that opens hundreds of connections on a busy machine waits for them; its own timeout ends it. */
const connectTimeoutMs = 60_000;

const agents = new Map<string, Agent>();

/** One connection pool for each server, whoever asks; idle sockets do not keep a test run alive. */
export function agentOf(server: Target): Agent {
  if (server.agent) return server.agent;
  // A later server may have the port of an earlier one.
  const key = `${server.url} ${server.ca}`;
  const agent = agents.get(key) ?? newAgent(server);
  agents.set(key, agent);
  return agent;
}

/** A pool of connections that nobody shares; its owner closes it. */
export function newAgent({ ca }: Target): Agent {
  return new Agent({ connect: { ca, timeout: connectTimeoutMs }, bodyTimeout: 0 });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function bytesOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** Sends one request as the server's administrator. An object is sent as JSON, a string or Buffer as it is. */
export async function request(
  server: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const response = await agentOf(server).request({
    // The path is not parsed as a URL, which would tidy it up.
    origin: server.url,
    path,
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: bytesOf(body),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, body: parsed(text), text };
}

/** One document of a watch. */
export interface WatchDocument {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } } & Record<
    string,
    unknown
  >;
}

/** A watch in progress: what it has said so far. */
export interface WatchReader {
  readonly events: readonly WatchDocument[];
  readonly ended: boolean;
  readonly status: number | undefined;
  stop(): void;
}

/** Opens a watch and keeps what it says. */
export function readEvents(server: Target, path: string): WatchReader {
  const stop = new AbortController();
  const reader = {
    events: [] as WatchDocument[],
    ended: false,
    status: undefined as number | undefined,
    stop: () => stop.abort(),
  };
  const read = async (): Promise<void> => {
    const response = await agentOf(server).request({
      origin: server.url,
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${server.token}` },
      signal: stop.signal,
    });
    reader.status = response.statusCode;
    let rest = '';
    for await (const chunk of response.body) {
      const lines = (rest + (chunk as Buffer).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      reader.events.push(...lines.filter(Boolean).map((line) => JSON.parse(line) as WatchDocument));
    }
  };
  read().then(
    () => (reader.ended = true),
    () => (reader.ended = true),
  );
  return reader;
}
