import type { JsonObject } from '../../../../../meta/json-value.ts';
import type { Description, Section } from '../parts/description.ts';
import {
  annotations,
  block,
  field,
  indented,
  labels,
  name,
  namespacedName,
  tableLines,
  valueLines,
} from '../parts/fields.ts';
import { itemsAt, plain, textAt } from '../parts/values.ts';

/**
 * Rules for one group, resource and name each, or for one path and verb, so that equal ones can be
 * joined.
 */
function simpleRules(rule: JsonObject): JsonObject[] {
  const verbs = listOf(rule.verbs);
  const [groups, all, names] = shortened([listOf(rule.apiGroups), listOf(rule.resources), listOf(rule.resourceNames)]);
  const named = names.length > 0 ? names.map((each) => [each]) : [[]];
  const resources = groups.flatMap((group) =>
    all.flatMap((resource) =>
      named.map((resourceNames) => ({ apiGroups: [group], resources: [resource], resourceNames, verbs })),
    ),
  );
  const paths = listOf(rule.nonResourceURLs).flatMap((path) =>
    verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })),
  );
  return [...resources, ...paths];
}

/** A rule can stand for more lines than a terminal and its memory can take. */
const mostLines = 5000;
const fewOfEach = 15;

type RuleLists = readonly [groups: string[], resources: string[], names: string[]];

/** The lists of a rule, each cut if they have too many combinations. */
function shortened(lists: RuleLists): RuleLists {
  const combinations = lists.reduce((count, { length }) => count * Math.max(1, length), 1);
  if (combinations <= mostLines) return lists;
  const cut = (list: string[]): string[] =>
    list.length > fewOfEach ? [...list.slice(0, fewOfEach), `(and ${list.length - fewOfEach} more)`] : list;
  const [groups, resources, names] = lists;
  return [cut(groups), cut(resources), cut(names)];
}

/** Joins rules that differ only in their verbs into a line, except rules about paths. */
function compactRules(rules: readonly JsonObject[]): JsonObject[] {
  const byTarget = new Map<string, JsonObject>();
  for (const rule of rules.flatMap(simpleRules)) {
    const { verbs, ...target } = rule;
    const key = JSON.stringify(rule.nonResourceURLs ? rule : target);
    const known = byTarget.get(key);
    byTarget.set(key, { ...target, verbs: [...new Set([...listOf(known?.verbs), ...listOf(verbs)])] });
  }
  return [...byTarget.values()].toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

function listOf(value: JsonObject[string] | undefined): string[] {
  return Array.isArray(value) ? value.map(plain) : [];
}

/** Rules with the same verbs are side by side. */
function sortKey(rule: JsonObject): string {
  const lists = [rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs];
  return lists.map((list) => `[${listOf(list).join(' ')}],`).join('');
}

/** `deployments.apps/scale` */
function resourceText(rule: JsonObject): string {
  const [resource = ''] = listOf(rule.resources);
  const [group = ''] = listOf(rule.apiGroups);
  const [plural = '', sub] = resource.split('/', 2);
  return `${plural}${group ? `.${group}` : ''}${sub === undefined ? '' : `/${sub}`}`;
}

const rules: Section = (role) => {
  const list = (key: string) => (rule: JsonObject) => `[${listOf(rule[key]).join(' ')}]`;
  const columns = [
    ['Resources', resourceText],
    ['Non-Resource URLs', list('nonResourceURLs')],
    ['Resource Names', list('resourceNames')],
    ['Verbs', list('verbs')],
  ] as const;
  return ['PolicyRule:', ...indented(tableLines(columns, compactRules(itemsAt(role, 'rules'))))];
};

/** Roles and cluster roles. */
export const role: Description = { events: 'none', sections: [name, labels, annotations, rules] };

const subjects: Section = (binding) => [
  'Subjects:',
  ...indented(
    tableLines(
      [
        ['Kind', 'kind'],
        ['Name', 'name'],
        ['Namespace', 'namespace'],
      ],
      itemsAt(binding, 'subjects'),
    ),
  ),
];

/** Role bindings and cluster role bindings. */
export const roleBinding: Description = {
  events: 'none',
  sections: [
    name,
    labels,
    annotations,
    block('Role', field('Kind', 'roleRef.kind'), field('Name', 'roleRef.name')),
    subjects,
  ],
};

const pullSecrets: Section = (account) =>
  valueLines(
    'Image pull secrets',
    itemsAt(account, 'imagePullSecrets').map((each) => textAt(each, 'name')),
  );

/** Service accounts. */
export const serviceAccount: Description = { sections: [...namespacedName, labels, annotations, pullSecrets] };
