import type { JsonObject } from '../../../src/meta/json-value.ts';
import { openSoakClient, type SoakTarget } from '../soak-client.ts';

/** Sends requests with JSON to one server. */
export interface DefinitionClient {
  /** Returns the body of a successful answer. Throws for any other. */
  send(
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    path: string,
    body?: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a client of one connection over HTTP/1.1. */
export function openDefinitionClient(target: SoakTarget): DefinitionClient {
  const client = openSoakClient(target, 'http1', () => undefined);
  return {
    async send(method, path, body, { 'content-type': type, ...headers } = {}) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), type: type ?? 'application/json' };
      const response = await client.send({ method, path, headers, ...sent });
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.body.toString()}`);
      return response.body;
    },
    close: () => client.close(),
  };
}
