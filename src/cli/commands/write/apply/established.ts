import type { Client } from '../../../../client/client.ts';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { pause } from '../../../../async/timers.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../../meta/read-field.ts';

const pollMs = 50;
const longestMs = 60_000;

/**
 * Waits until the server serves the kinds of applied definitions. Ends after a minute, and for a
 * definition whose names belong to another.
 */
export async function waitUntilEstablished(
  client: Client,
  resource: DiscoveredResource,
  definitions: readonly JsonObject[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + longestMs;
  await Promise.all(
    definitions.map(async (definition) => {
      for (let current = definition; !isSettled(current) && Date.now() < deadline; ) {
        await pause(pollMs, signal);
        // The codec of the client returns JSON values.
        current = (await client.resource(resource).get(nameOf(definition), { signal })) as JsonObject;
      }
    }),
  );
}

function isSettled(definition: JsonObject): boolean {
  return objectsAt(objectAt(definition, 'status'), 'conditions').some(
    ({ type, status }) =>
      (type === 'Established' && status === 'True') || (type === 'NamesAccepted' && status === 'False'),
  );
}
