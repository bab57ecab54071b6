import { builtInResources } from '../../client/built-in-resources.ts';
import { controller } from '../../client/controllers/controller.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { reconcile } from './reconcile.ts';

/** Gives ClusterRoles with an aggregation rule the rules of the roles that it selects. */
export const clusterRoleAggregation: ControllerDefinition = {
  name: 'clusterrole-aggregation-controller',
  alias: 'clusterrole-aggregation',
  account: 'clusterrole-aggregation-controller',
  async run({ client, informers, identifiers, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { clusterroles } = builtInResources(identifiers.set);
    const roles = informers.informer(clusterroles);
    const writer = client.resource(clusterroles);
    const aggregated = (): readonly ObjectName[] =>
      roles
        .list()
        .filter(({ aggregationRule }) => aggregationRule)
        .map(({ metadata }) => ({ namespace: '', name: metadata?.name ?? '' }));
    await controller({
      name: 'ClusterRoleAggregator',
      informers,
      for: clusterroles,
      watches: [watched(clusterroles, aggregated)],
      reconcile: ({ object }) =>
        reconcile(object, { list: () => roles.list(), update: (role) => writer.update(role, { signal }) }),
      onError,
      metrics,
    }).run(signal);
  },
};
