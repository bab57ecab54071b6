import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { PolicyRule } from '../../../authz/rbac/policy-rule.ts';
import { groupName } from '../../built-in.ts';

/** Abbreviations of verbs in the tables of default roles. */
const verbSets: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

/** Most controllers record events. */
const eventsRule = 'create,patch,update core,events events';

/**
 * Reads a rule of the tables of default roles: verbs, groups, resources and names, or verbs and
 * paths, each a list with commas. `read` and `write` stand for several verbs, `core` for the group
 * without a name, `events` alone for the recording of events; groups have no domain. Values are
 * sorted, as in the roles of kube-apiserver.
 */
export function readRule(line: string, identifiers: Identifiers): PolicyRule {
  const [verbs = [], second = [], resources, names] = expand(line === 'events' ? eventsRule : line, identifiers)
    .split(' ')
    .map((list) => list.split(','));
  const isPath = resources === undefined;
  return {
    verbs: verbs.flatMap((verb) => verbSets[verb] ?? verb).toSorted(),
    apiGroups: isPath ? [] : second.map((group) => fullName(group, identifiers)).toSorted(),
    resources: resources?.toSorted() ?? [],
    resourceNames: names?.toSorted() ?? [],
    nonResourceURLs: isPath ? second.toSorted() : [],
  };
}

function fullName(group: string, identifiers: Identifiers): string {
  if (group === '*') return group;
  return groupName(identifiers, group === 'core' ? '' : group);
}

/** Fills in the product's spellings: `{prefix}`, `{nodeAgent}`, `{label}` and `{api}`. */
export function expand(text: string, { prefix, nodeAgent, labelDomain, apiDomain }: Identifiers): string {
  const values: Readonly<Record<string, string>> = { prefix, nodeAgent, label: labelDomain, api: apiDomain };
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
