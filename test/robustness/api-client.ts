import { Agent, type Dispatcher } from 'undici';
import type { Scope } from './history.ts';

/** A server of the system under test. */
export interface Address {
  readonly url: string;
  readonly ca: string;
  /** A bearer token that the server knows. */
  readonly token: string;
}

/** What a server answered. */
export interface ApiResponse {
  readonly status: number;
  readonly retryAfter: string;
  /** The parsed document; undefined where it is no JSON. */
  readonly body: unknown;
}

/** Longer than any request may take by the server's own deadlines, so that it is the server that gives up. */
const patienceMs = 70_000;

/** A client with a connection pool of its own. */
export class ApiClient {
  readonly address: Address;
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: Address) {
    this.address = address;
    this.#headers = { authorization: `Bearer ${address.token}` };
    this.#agent = new Agent({ connect: { ca: address.ca }, headersTimeout: patienceMs, bodyTimeout: 0 });
  }

  /** Sends a request. Rejects where the connection breaks. */
  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    contentType = 'application/json',
    signal?: AbortSignal,
  ): Promise<ApiResponse> {
    const response = await this.#agent.request({
      origin: this.address.url,
      path,
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(signal ? { signal } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      retryAfter: String(response.headers['retry-after'] ?? ''),
      body: parsed(text),
    };
  }

  /** Reads an answer without looking at it, which for a large one would keep this process from everything else. */
  async measure(path: string): Promise<{ readonly status: number; readonly bytes: number }> {
    const response = await this.#agent.request({
      origin: this.address.url,
      path,
      method: 'GET',
      headers: this.#headers,
    });
    let bytes = 0;
    for await (const chunk of response.body) bytes += (chunk as Buffer).length;
    return { status: response.statusCode, bytes };
  }

  /** Opens a stream of lines; `onLine` is called with each, until the server or the signal ends it. Answers the status. */
  async stream(
    path: string,
    signal: AbortSignal,
    on: { readonly status: (status: number) => void; readonly line: (line: string) => void },
  ): Promise<void> {
    const response = await this.#agent.request({
      origin: this.address.url,
      path,
      method: 'GET',
      headers: this.#headers,
      signal,
    });
    on.status(response.statusCode);
    let rest = '';
    for await (const chunk of response.body.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') on.line(line);
    }
    if (rest !== '' && response.statusCode !== 200) on.line(rest);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The collection of ConfigMaps that a scope names, without its selectors. */
export function collectionPath({ namespace }: Pick<Scope, 'namespace'>): string {
  return namespace === '' ? '/api/v1/configmaps' : `/api/v1/namespaces/${namespace}/configmaps`;
}

/** The ConfigMap with a key, `namespace/name`. */
export function objectPath(key: string): string {
  const [namespace = '', name = ''] = key.split('/');
  return `${collectionPath({ namespace })}/${name}`;
}

/** The selectors of a scope, with other parameters. */
export function queryOf(scope: Scope, more: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  if (scope.name !== '') query.set('fieldSelector', `metadata.name=${scope.name}`);
  if (scope.color !== '') query.set('labelSelector', `color=${scope.color}`);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Nanoseconds of a clock that never goes back. */
export function now(): number {
  return Number(process.hrtime.bigint());
}
