import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { StorageVersion } from '../../gen/types/internal-apiserver-v1alpha1.ts';
import { withServers } from '../../kinds/internal.apiserver/storage-version.ts';
import { now } from '../../meta/time.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';

/**
 * Removes servers without an identity Lease from StorageVersions, and deletes StorageVersions
 * without servers.
 */
export const storageVersionCollector: ControllerDefinition = {
  name: 'storageversion-garbage-collector-controller',
  alias: 'storage-version-gc',
  account: 'storage-version-garbage-collector',
  async run({ client, discovery, informers, identifiers, controller }: ControllerContext, signal): Promise<void> {
    const { storageversions, leases } = builtInResources(identifiers.set);
    const versions = await untilServed({ client, discovery }, storageversions, [], signal);
    const known = informers.informer(versions);
    const writer = client.resource<StorageVersion>(versions);
    const reader = client.resource(leases);
    const namespace = `${identifiers.prefix}system`;
    const all = () => known.list().map(({ metadata }) => ({ namespace: '', name: metadata?.name ?? '' }));
    // Reads the server: a late informer would remove a live server.
    const isPresent = async (server: string): Promise<boolean> => {
      const lease = await ignoreReasons(reader.get(server, { namespace, signal }), 'NotFound');
      const label = lease?.metadata?.labels?.[`apiserver.${identifiers.labelDomain}/identity`];
      return label === `${identifiers.prefix}apiserver`;
    };
    await controller<StorageVersion>({
      name: 'storage_version_garbage_collector',
      for: versions,
      watches: [watched(leases, (lease) => (lease.metadata?.namespace === namespace ? all() : []))],
      async reconcile({ object }) {
        const servers = object?.status?.storageVersions ?? [];
        if (!object || servers.length === 0) return undefined;
        const present = new Set<string>();
        for (const { apiServerID = '' } of servers) if (await isPresent(apiServerID)) present.add(apiServerID);
        const left = servers.filter(({ apiServerID = '' }) => present.has(apiServerID));
        if (left.length === servers.length) return undefined;
        if (left.length === 0) {
          await ignoreReasons(writer.delete(object.metadata?.name ?? '', { signal }), 'NotFound');
          return undefined;
        }
        const status = withServers(object.status, left, now());
        await writer.update({ ...object, status }, { subresource: 'status', signal });
        return undefined;
      },
    }).run(signal);
  },
};
