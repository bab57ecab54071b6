import { readObject } from '../../../client/read-object.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import { resourcePath } from '../../../client/resource-path.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';

interface Review {
  readonly client: Client;
  readonly resources: readonly DiscoveredResource[];
  /** The plural name: `selfsubjectaccessreviews`. */
  readonly resource: string;
  readonly spec: JsonObject;
  readonly explain?: boolean;
  readonly signal: AbortSignal;
}

/** Sends a review and returns it with the answer of the server. */
export async function postReview({ client, resources, resource, spec, explain, signal }: Review): Promise<JsonObject> {
  const found = findResource(resources, resource);
  if (!found) throw new CliError(`the server has no ${resource}`);
  const { group, version, kind } = found;
  const request = {
    method: 'POST',
    path: resourcePath(found, {}),
    query: { explain },
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: `${group}/${version}`, kind, spec }),
    signal,
  };
  return readObject(client.codec, await client.transport.request(request), request) as JsonObject;
}
