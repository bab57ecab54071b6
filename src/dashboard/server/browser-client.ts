import type { PartialObjectMetadata } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import { runtimeJson } from '../../client/runtime-json.ts';
import { createResourceClient } from '../../client/resource-client.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Transport, TransportRequest } from '../../client/transport.ts';
import { chunksOf } from './chunks-of.ts';
import { send } from './send.ts';

function sendRequest({ method, path, query = {}, accept, contentType, body, signal }: TransportRequest) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // Parameters are texts, numbers and flags.
    const values = (Array.isArray(value) ? value : [value]) as readonly (string | number | boolean | undefined)[];
    for (const each of values) if (each !== undefined) parameters.append(name, String(each));
  }
  const target = parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
  return send(target, { method, accept, contentType, body: body as BodyInit | undefined, signal });
}

function unsupported(): never {
  throw new Error('a page cannot do this');
}

/** The requests of the client over `fetch`. */
const transport: Transport = {
  async request(request) {
    const response = await sendRequest(request);
    return Buffer.from(await response.arrayBuffer(), 0);
  },
  async stream(request) {
    const { body } = await sendRequest(request);
    return chunksOf(body);
  },
  revalidate: async (request) => ({ body: await transport.request(request), etag: undefined }),
  upgrade: unsupported,
  close: () => Promise.resolve(),
};

/** The published client, with the credential of this tab. */
export const client: Client = {
  settings: { server: location.origin, namespace: '' },
  transport,
  codec: runtimeJson,
  resource: (reference) => createResourceClient({ transport, codec: runtimeJson, reference, defaultNamespace: '' }),
  metadata: (reference) =>
    createResourceClient<PartialObjectMetadata>({
      transport,
      codec: runtimeJson,
      // The server sends the metadata of the objects, whatever their type is.
      reference: reference as ResourceReference<PartialObjectMetadata>,
      defaultNamespace: '',
      form: 'metadata',
    }),
  close: () => Promise.resolve(),
};
