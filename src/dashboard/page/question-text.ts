import type { AccessQuestion } from '../../cli/commands/access/access-question.ts';
import type { PolicyRule } from '../../authz/rbac/policy-rule.ts';

/** An action in words: `get pods/log "web" in the namespace default`. */
export function questionText({ verb, group, resource, subresource, namespace, name }: AccessQuestion): string {
  const type = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  const object = name === '' ? '' : ` "${name}"`;
  return `${verb} ${type}${object}${namespace === '' ? '' : ` in the namespace ${namespace}`}`;
}

/** A rule of a role in words: `get, list on pods, pods/log of apps, named web`. */
export function ruleText({ verbs, apiGroups, resources, resourceNames }: PolicyRule): string {
  const groups = apiGroups.map((group) => (group === '' ? 'core' : group === '*' ? 'all groups' : group));
  const things = resources.map((each) => (each === '*' ? 'all resources' : each));
  const names = resourceNames.length === 0 ? '' : `, named ${listed(resourceNames)}`;
  return `${listed(verbs.map((verb) => (verb === '*' ? 'all verbs' : verb)))} on ${listed(things)} of ${listed(groups)}${names}`;
}

/** Members of a list that are written. */
const mostListed = 12;

function listed(texts: readonly string[]): string {
  const rest = texts.length - mostListed;
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, mostListed).join(', ')} and ${rest} more`;
}
