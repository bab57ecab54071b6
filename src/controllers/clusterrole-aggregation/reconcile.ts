import { isDeepStrictEqual } from 'node:util';
import type { ClusterRole, PolicyRule } from '../../gen/types/rbac-authorization-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';

/** The calls of `reconcile`. */
interface AggregationCalls {
  readonly list: () => readonly ClusterRole[];
  readonly update: (role: ClusterRole) => Promise<unknown>;
}

/**
 * Sets the rules of a role to those of the roles that each selector selects, by name, without
 * duplicates. A role without an aggregation rule is left as it is.
 */
export async function reconcile(role: ClusterRole | undefined, { list, update }: AggregationCalls): Promise<void> {
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
