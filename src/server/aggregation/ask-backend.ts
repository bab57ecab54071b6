import type { Readable } from 'node:stream';
import type { BackendSource } from '../../http/aggregation/forward.ts';
import type { RemoteApiService } from '../../http/api-services/api-service.ts';
import { type BackendResponse, hostOf } from '../../outbound/backend.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';

/** A read from the server of an APIService by this server itself. */
interface BackendQuestion {
  readonly path: string;
  /** Names and values alternately; they name the user. */
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
}

/** Sends a GET to an address of the server of an APIService. */
export async function askBackend(
  { backendOf }: BackendSource,
  service: RemoteApiService,
  address: ServerAddress,
  { path, headers, signal }: BackendQuestion,
): Promise<BackendResponse> {
  const sent = ['Host', hostOf(address), ...headers];
  return backendOf(service).send({ address, method: 'GET', path, headers: sent, signal });
}

/** Reads a whole body. Undefined if it is larger than the limit. Rejects if it breaks off. */
export async function readDocument(body: Readable, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
