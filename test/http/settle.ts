import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../src/meta/read-field.ts';
import type { ResourceDefinition } from '../../src/registry/definition/resource-definition.ts';
import { request, type Target } from './http-client.ts';
import { until } from './until.ts';

/** Waits until the server has written what it writes to a new object in its own time; returns the object. */
export async function settle(
  server: Target,
  { resource }: Pick<ResourceDefinition, 'resource'>,
  path: string,
): Promise<JsonObject> {
  const read = async (): Promise<JsonObject> => (await request(server, 'GET', path)).body as JsonObject;
  if (resource === 'customresourcedefinitions') {
    await until('the conditions of the definition', async () => {
      const types = new Set(objectsAt(objectAt(await read(), 'status'), 'conditions').map(({ type }) => type));
      return types.has('NamesAccepted') && types.has('Established');
    });
  }
  return read();
}
