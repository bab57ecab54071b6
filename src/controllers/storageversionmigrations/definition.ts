import { builtInResources } from '../../client/built-in-resources.ts';
import { discover } from '../../client/discovery.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { StorageVersionMigration } from '../../gen/types/storagemigration-v1beta1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { migrate, type MigratedResource } from './migrate.ts';

/** Rewrites all objects of a resource, so that none is stored in an older version. */
export const storageVersionMigrator: ControllerDefinition = {
  name: 'storage-version-migrator-controller',
  alias: 'storage-version-migrator-controller',
  account: 'storage-version-migrator-controller',
  async run({ client, discovery, identifiers, controller }: ControllerContext, signal): Promise<void> {
    const { storageversionmigrations: stable } = builtInResources(identifiers.set);
    const migrations = await untilServed({ client, discovery }, stable, ['v1alpha1'], signal);
    const writer = client.resource<StorageVersionMigration>(migrations);

    /** The resource in its preferred version; undefined if the server does not have it. */
    async function find({ spec }: StorageVersionMigration): Promise<MigratedResource | undefined> {
      const { group = '', resource = '' } = spec?.resource ?? {};
      const found = (await discover(client, signal)).find(
        (one) => one.group === group && one.resource === resource && one.verbs.includes('list'),
      );
      if (!found) return undefined;
      const reference: ResourceReference = { ...found };
      const objects = client.metadata(reference);
      return {
        firstPage: () => objects.list({ limit: 1, signal }),
        pages: (onWarning) =>
          objects.pages({ limit: 500, signal, onWarning, ...(found.namespaced ? { allNamespaces: true } : {}) }),
        rewrite: (metadata) =>
          client.resource(reference).apply(
            {
              apiVersion: group === '' ? found.version : `${group}/${found.version}`,
              kind: found.kind,
              metadata,
            },
            { fieldManager: 'storage-version-migrator-controller', signal },
          ),
      };
    }

    await controller({
      name: 'storage_version_migrator',
      for: migrations,
      reconcile: ({ object }) =>
        migrate(object, {
          find,
          conditionTime: migrations.version === 'v1alpha1' ? 'lastUpdateTime' : 'lastTransitionTime',
          update: (migration) => writer.update(migration, { subresource: 'status', signal }),
          nowMs: () => Date.now(),
        }),
    }).run(signal);
  },
};
