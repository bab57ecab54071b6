import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { isDeepStrictEqual } from 'node:util';
import type { ClusterRole, PolicyRule } from '../../gen/types/rbac-authorization-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';

/** Gives ClusterRoles with an aggregation rule the rules of the roles that it selects. */
export const clusterRoleAggregation: ControllerDefinition = {
  name: 'clusterrole-aggregation-controller',
  alias: 'clusterrole-aggregation',
  account: 'clusterrole-aggregation-controller',
  async run({ client, informers, identifiers, controller }: ControllerContext, signal): Promise<void> {
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
      for: clusterroles,
      watches: [watched(clusterroles, aggregated)],
      reconcile: ({ object }) =>
        reconcile(object, { list: () => roles.list(), update: (role) => writer.update(role, { signal }) }),
    }).run(signal);
  },
};

/** The calls of `reconcile`. */
interface AggregationCalls {
  readonly list: () => readonly ClusterRole[];
  readonly update: (role: ClusterRole) => Promise<unknown>;
}

/**
 * Sets the rules of a role to the rules of the roles that each selector selects, by name, without
 * duplicates. A role without an aggregation rule is left as it is.
 */
async function reconcile(role: ClusterRole | undefined, { list, update }: AggregationCalls): Promise<void> {
  if (!role?.aggregationRule) return;
  const name = role.metadata?.name;
  const others = list()
    .filter(({ metadata }) => metadata?.name !== name)
    .toSorted((one, other) => ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1));
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    // An object of the API is JSON.
    const matches = matchLabelSelector(selector as JsonObject);
    for (const rule of others.filter(({ metadata }) => matches(metadata?.labels ?? {})).flatMap(rulesOf)) {
      if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
    }
  }
  if (!isDeepStrictEqual(rules, rulesOf(role))) await update({ ...role, rules });
}

function rulesOf({ rules = [] }: ClusterRole): readonly PolicyRule[] {
  return rules ?? [];
}
