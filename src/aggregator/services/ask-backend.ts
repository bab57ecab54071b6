import type { BackendSource } from '../forward/create-forward.ts';
import type { RemoteApiService } from '../../api/api-services/api-service.ts';
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
