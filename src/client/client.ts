import type { ApiObject, GenericObject, PartialObjectMetadata } from './api-object.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import { type JsonCodec, runtimeJson } from './runtime-json.ts';
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
  /** The verbs of a resource, typed by its reference or by the caller. */
  resource<T extends ApiObject = GenericObject>(reference: ResourceReference<T>): ResourceClient<T>;
  /**
   * The verbs of any resource whose responses have only the metadata of its objects, as the kind
   * PartialObjectMetadata.
   */
  metadata(reference: ResourceReference<ApiObject>): ResourceClient<PartialObjectMetadata>;
  /** Ends idle and running requests, including watches. */
  close(): Promise<void>;
}

/**
 * Creates a client. The first request connects.
 *
 * @example
 * const client = createClient(await loadClientConfig('.cl/admin.clientconfig'));
 * const reference = { group: '', version: 'v1', resource: 'secrets' };
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
    resource: (reference) =>
      createResourceClient({ transport, codec, reference, defaultNamespace: settings.namespace }),
    metadata: (reference) =>
      createResourceClient<PartialObjectMetadata>({
        transport,
        codec,
        // The server sends the metadata of the objects, whatever their type is.
        reference: reference as ResourceReference<PartialObjectMetadata>,
        defaultNamespace: settings.namespace,
        form: 'metadata',
      }),
    close: () => transport.close(),
  };
}
