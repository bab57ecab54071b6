import type { ApiObject, GenericObject } from './api-object.ts';
import type { ConnectionSettings } from '../outbound/connection-settings.ts';
import { type JsonCodec, runtimeJson } from './json-codec.ts';
import { createResourceClient, type ResourceClient } from './resource-client.ts';
import type { ResourceReference } from './resource-path.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

/** Options of a client. */
export interface ClientOptions extends TransportOptions {
  readonly codec?: JsonCodec;
}

/** A connection to one server. */
export interface Client {
  readonly settings: ConnectionSettings;
  /** For paths that are not resources: `/version`, `/readyz`. */
  readonly transport: Transport;
  readonly codec: JsonCodec;
  /** The verbs of a resource, typed by the caller. */
  resource<T extends ApiObject = GenericObject>(reference: ResourceReference): ResourceClient<T>;
  /** Ends idle and running requests, including watches. */
  close(): Promise<void>;
}

/**
 * Creates a client. The first request connects.
 *
 * @example
 * const client = createClient(await loadClientConfig('.cl/admin.clientconfig'));
 * const reference = { group: '', version: 'v1', resource: 'secrets', namespaced: true };
 * const pages = client.resource(reference).pages({ namespace: 'default' });
 * for await (const page of pages) console.log(page.items.length);
 * await client.close();
 */
export function createClient(settings: ConnectionSettings, options: ClientOptions = {}): Client {
  const transport = createTransport(settings, options);
  const codec = options.codec ?? runtimeJson;
  return {
    settings,
    transport,
    codec,
    resource: (reference) => createResourceClient(transport, codec, reference, settings.namespace),
    close: () => transport.close(),
  };
}
