import type { ApiObject } from '../client/api-object.ts';
import { discoverVersion, servesGroup } from '../client/discovery.ts';
import type { ResourceReference } from '../client/resource-path.ts';
import type { ControllerContext } from './controller-definition.ts';

/**
 * Returns the reference to a resource in its version, or else in the first of the older ones that
 * the server serves: early releases have no stable version of some kinds, with the same fields as
 * far as controllers use them. Waits until one is served.
 */
export async function untilServed<T extends ApiObject>(
  { client, discovery }: Pick<ControllerContext, 'client' | 'discovery'>,
  reference: ResourceReference<T>,
  older: readonly string[],
  signal: AbortSignal,
): Promise<ResourceReference<T>> {
  for (let isKnown = false; ; ) {
    const versions = (await servesGroup(client, reference.group, signal)) ? [reference.version, ...older] : [];
    for (const version of versions) {
      const found = await discoverVersion(client, reference.group, version, signal);
      if (found?.some(({ resource }) => resource === reference.resource)) return { ...reference, version };
    }
    if (isKnown) await discovery.nextChange(signal);
    // A change before this is seen by one more look.
    else await discovery.begin();
    isKnown = true;
    signal.throwIfAborted();
  }
}
