import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import { findType, type Session } from '../../../find-type.ts';
import { resourceVerbs } from '../../../resource-verbs.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import type { clusterRoleBindingFlags, clusterRoleFlags, roleBindingFlags, roleFlags } from './flags.ts';
import { type Generated, generateObject } from './generate-object.ts';

/** `cl create role NAME`. */
export function createRole(invocation: Invocation<typeof roleFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async ({ name, session, identifiers }) => {
    if (options.verb.length === 0) throw new CliError('at least one verb must be specified');
    if (options.resource.length === 0) throw new CliError('at least one resource must be specified');
    const apiVersion = `rbac.authorization.${identifiers.apiDomain}/v1`;
    return { apiVersion, kind: 'Role', metadata: { name }, rules: await resourceRules(session, options) };
  });
}

/** The verbs of paths that are no objects: the methods of HTTP. */
const pathVerbs: ReadonlySet<string> = new Set(['*', 'get', 'post', 'put', 'delete', 'patch', 'head', 'options']);

/** `cl create clusterrole NAME`. */
export function createClusterRole(invocation: Invocation<typeof clusterRoleFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async ({ name, session, identifiers }) => {
    const { aggregationRule, nonResourceUrl, verb } = options;
    const object = {
      apiVersion: `rbac.authorization.${identifiers.apiDomain}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
    };
    if (aggregationRule.length > 0) {
      if (verb.length + options.resource.length + nonResourceUrl.length > 0) {
        throw new CliError('aggregation rule must be specified without nonResourceURLs, resources and verbs');
      }
      const matchLabels = Object.fromEntries(readPairs(aggregationRule));
      return { ...object, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] }, rules: null };
    }
    if (verb.length === 0) throw new CliError('at least one verb must be specified');
    if (options.resource.length + nonResourceUrl.length === 0) {
      throw new CliError('one of resource or nonResourceURL must be specified');
    }
    const unknown = nonResourceUrl.length > 0 ? verb.find((each) => !pathVerbs.has(each)) : undefined;
    if (unknown !== undefined) throw new CliError(`invalid verb: '${unknown}' for nonResourceURL`);
    const paths = nonResourceUrl.length > 0 ? [{ nonResourceURLs: [...nonResourceUrl], verbs: unique(verb) }] : [];
    return { ...object, rules: [...(await resourceRules(session, options)), ...paths] };
  });
}

/** One rule for each group. */
async function resourceRules(
  session: Session,
  { verb, resource, resourceName }: Invocation<typeof roleFlags>['options'],
): Promise<JsonObject[]> {
  for (const each of verb.filter((word) => !resourceVerbs.has(word))) {
    session.io.stderr.write(`Warning: '${each}' is not a standard resource verb\n`);
  }
  const groups = new Map<string, string[]>();
  for (const text of resource) {
    const { group, name } = text === '*' ? { group: '*', name: '*' } : await findResourceOf(session, text);
    const names = groups.get(group) ?? [];
    if (!names.includes(name)) names.push(name);
    groups.set(group, names);
  }
  const names: JsonObject = resourceName.length > 0 ? { resourceNames: [...resourceName] } : {};
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([group, resources]) => ({ apiGroups: [group], resources, verbs: unique(verb), ...names }));
}

async function findResourceOf(session: Session, text: string): Promise<{ group: string; name: string }> {
  const [type = '', subresource] = text.split('/');
  const [word = '', ...suffix] = type.split('.');
  if (word === '*') return { group: suffix.join('.'), name: subresource ? `*/${subresource}` : '*' };
  const { group, resource } = await findType(session, type);
  return { group, name: subresource ? `${resource}/${subresource}` : resource };
}

function unique(words: readonly string[]): string[] {
  return words.includes('*') ? ['*'] : [...new Set(words)];
}

/** `cl create rolebinding NAME`. */
export function createRoleBinding(invocation: Invocation<typeof roleBindingFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, ({ name, identifiers }) => {
    const { clusterrole, role } = options;
    if ((clusterrole === undefined) === (role === undefined)) {
      throw new CliError('exactly one of clusterrole or role must be specified');
    }
    const kind = role === undefined ? 'ClusterRole' : 'Role';
    return binding('RoleBinding', name, { kind, name: role ?? clusterrole ?? '' }, options, identifiers.apiDomain);
  });
}

/** `cl create clusterrolebinding NAME`. */
export function createClusterRoleBinding(invocation: Invocation<typeof clusterRoleBindingFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, ({ name, identifiers }) => {
    const role = { kind: 'ClusterRole', name: options.clusterrole ?? '' };
    return binding('ClusterRoleBinding', name, role, options, identifiers.apiDomain);
  });
}

interface SubjectOptions {
  readonly users: readonly string[];
  readonly group: readonly string[];
  readonly serviceaccount: readonly string[];
}

function binding(
  kind: string,
  name: string,
  role: { readonly kind: string; readonly name: string },
  { users, group, serviceaccount }: SubjectOptions,
  apiDomain: string,
): Generated {
  const apiGroup = `rbac.authorization.${apiDomain}`;
  const subjects: JsonObject[] = [
    ...users.map((each) => ({ apiGroup, kind: 'User', name: each })),
    ...group.map((each) => ({ apiGroup, kind: 'Group', name: each })),
    ...serviceaccount.map((text) => {
      const [namespace = '', account = '', ...rest] = text.split(':');
      if (!namespace || !account || rest.length > 0) throw new CliError('serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', name: account, namespace };
    }),
  ];
  const roleRef = { apiGroup, ...role };
  const object = { apiVersion: `${apiGroup}/v1`, kind, metadata: { name }, roleRef };
  return subjects.length > 0 ? { ...object, subjects } : object;
}
