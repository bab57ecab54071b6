import type { JsonObject } from '../meta/json-value.ts';
import { nameOf, uidOf } from '../meta/object-meta.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../meta/read-field.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { RequestDigest } from './shuffle-shard.ts';

/** A FlowSchema, compiled: it selects requests for a priority level and divides them into flows. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: string;
  /** Schemas are tried in ascending order. */
  readonly precedence: number;
  /** The field by which the requests are divided; undefined: they are one flow. */
  readonly distinguisher: 'user' | 'namespace' | undefined;
  readonly rules: readonly PolicyRules[];
}

/** Users and the requests of theirs that match. */
interface PolicyRules {
  readonly subjects: readonly ((user: UserInfo) => boolean)[];
  readonly matches: (digest: RequestDigest) => boolean;
}

const all = '*';

/** Compiles a FlowSchema of any version. */
export function compileFlowSchema(schema: JsonObject): FlowSchema {
  const spec = objectAt(schema, 'spec');
  return {
    name: nameOf(schema),
    uid: uidOf(schema),
    priorityLevel: stringAt(objectAt(spec, 'priorityLevelConfiguration'), 'name'),
    precedence: numberAt(spec, 'matchingPrecedence') ?? 0,
    distinguisher: distinguishers[stringAt(objectAt(spec, 'distinguisherMethod'), 'type')],
    rules: objectsAt(spec, 'rules').map((rules) => ({
      subjects: objectsAt(rules, 'subjects').map(subjectMatcher),
      matches: requestMatcher(rules),
    })),
  };
}

const distinguishers: Readonly<Record<string, FlowSchema['distinguisher']>> = {
  ByUser: 'user',
  ByNamespace: 'namespace',
};

/** Orders schemas as they are tried. */
export function compareSchemas(a: FlowSchema, b: FlowSchema): number {
  return a.precedence - b.precedence || (a.name < b.name ? -1 : 1);
}

/** The rules of a schema whose subjects a user is one of. */
export function rulesFor({ rules }: FlowSchema, user: UserInfo): readonly PolicyRules[] {
  return rules.filter(({ subjects }) => subjects.some((matches) => matches(user)));
}

const serviceAccountPrefix = 'system:serviceaccount:';

function subjectMatcher(subject: JsonObject): (user: UserInfo) => boolean {
  const user = stringAt(objectAt(subject, 'user'), 'name');
  const group = stringAt(objectAt(subject, 'group'), 'name');
  const account = objectAt(subject, 'serviceAccount');
  const accounts = `${serviceAccountPrefix}${stringAt(account, 'namespace')}:`;
  const accountName = stringAt(account, 'name');
  const matchers: Readonly<Record<string, (given: UserInfo) => boolean>> = {
    User: ({ username }) => user === all || username === user,
    Group: ({ groups }) => group === all || groups.includes(group),
    ServiceAccount: ({ username }) =>
      accountName === all ? username.startsWith(accounts) : username === `${accounts}${accountName}`,
  };
  return matchers[stringAt(subject, 'kind')] ?? (() => false);
}

function requestMatcher(rules: JsonObject): PolicyRules['matches'] {
  const resources = objectsAt(rules, 'resourceRules').map(resourceMatcher);
  const paths = objectsAt(rules, 'nonResourceRules').map(pathMatcher);
  return (digest) => (digest.resourceRequest ? resources : paths).some((matches) => matches(digest));
}

function resourceMatcher(rule: JsonObject): PolicyRules['matches'] {
  const hasVerb = wordMatcher(stringsAt(rule, 'verbs'));
  const hasGroup = wordMatcher(stringsAt(rule, 'apiGroups'));
  const hasResource = wordMatcher(stringsAt(rule, 'resources'));
  const hasNamespace = wordMatcher(stringsAt(rule, 'namespaces'));
  const clusterScope = rule['clusterScope'] === true;
  return ({ verb, apiGroup, resource, namespace }) =>
    hasVerb(verb) &&
    hasResource(resource) &&
    hasGroup(apiGroup) &&
    (namespace === '' ? clusterScope : hasNamespace(namespace));
}

function pathMatcher(rule: JsonObject): PolicyRules['matches'] {
  const hasVerb = wordMatcher(stringsAt(rule, 'verbs'));
  const urls = stringsAt(rule, 'nonResourceURLs');
  const hasPath = wordMatcher(urls);
  const prefixes = urls.filter((url) => url.endsWith('/*')).map((url) => url.slice(0, -1));
  return ({ verb, path }) => hasVerb(verb) && (hasPath(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

function wordMatcher(words: readonly string[]): (word: string) => boolean {
  if (words.includes(all)) return () => true;
  const known = new Set(words);
  return (word) => known.has(word);
}
