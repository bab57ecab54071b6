import { pause } from '../async/timers.ts';
import type { ApiObject } from '../client/api-object.ts';
import type { Client } from '../client/client.ts';
import { discoverVersion, servesGroup } from '../client/discovery.ts';
import type { ResourceReference } from '../client/resource-path.ts';

/** Time after which a server is asked again that serves no version of a resource. */
const retryMs = 30_000;

/**
 * Returns the reference to a resource in its version, or else in the first of the older ones that
 * the server serves: early releases have no stable version of some kinds, with the same fields as
 * far as controllers use them. Waits until one is served.
 */
export async function servedVersion<T extends ApiObject>(
  client: Client,
  reference: ResourceReference<T>,
  older: readonly string[],
  signal: AbortSignal,
): Promise<ResourceReference<T>> {
  for (;;) {
    const versions = (await servesGroup(client, reference.group, signal)) ? [reference.version, ...older] : [];
    for (const version of versions) {
      const found = await discoverVersion(client, reference.group, version, signal);
      if (found?.some(({ resource }) => resource === reference.resource)) return { ...reference, version };
    }
    await pause(retryMs, signal);
    signal.throwIfAborted();
  }
}
