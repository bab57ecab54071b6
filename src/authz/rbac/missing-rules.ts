import type { PolicyRule } from './policy-rule.ts';
import { appendTo } from '../../meta/group-by.ts';

/** Maximum of rules in a result; the first ones are enough to show the missing rights. */
const missingLimit = 1000;

/**
 * Returns the part of `wanted` that `held` does not cover, as one rule for each resource of a group
 * (and name), or for each path; empty if everything is covered. At most 1000 rules.
 *
 * A rule stands for all combinations of its values, up to billions in an object of megabytes.
 * Values that the same held rules cover are alike, so that only combinations of different values
 * are examined: their number follows from the held rules, not from the wanted ones.
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  const index = indexHeld(held);
  const missing = new Map<string, PolicyRule>();
  for (const rule of wanted) {
    for (const part of missingParts(index, rule)) {
      addRule(missing, part);
      if (missing.size >= missingLimit) return [...missing.values()];
    }
  }
  return [...missing.values()];
}

function* missingParts(held: HeldRules, rule: PolicyRule): Generator<PolicyRule> {
  yield* missingResources(held, rule);
  yield* missingPaths(held, rule);
}

/** Values of a rule that the same held rules cover. */
interface AlikeValues {
  readonly values: readonly string[];
  /** The indexes of these held rules. */
  readonly coveredBy: ReadonlySet<number>;
}

/** The indexes of the held rules that cover a value. */
type CoveredBy = (value: string) => readonly number[];

/** The rules that a user holds, indexed by the values in them. */
interface HeldRules {
  readonly verb: CoveredBy;
  readonly group: CoveredBy;
  readonly resource: CoveredBy;
  readonly name: CoveredBy;
  /** Covers all names of objects. */
  readonly everyName: CoveredBy;
  readonly path: CoveredBy;
}

function indexHeld(held: readonly PolicyRule[]): HeldRules {
  const verbs = indexesOf(held, (rule) => rule.verbs);
  const groups = indexesOf(held, (rule) => rule.apiGroups);
  const resources = indexesOf(held, (rule) => rule.resources);
  const names = indexesOf(held, (rule) => rule.resourceNames);
  const everyName = [...held.keys()].filter((index) => held[index]?.resourceNames.length === 0);
  const paths = indexesOf(held, (rule) => rule.nonResourceURLs);
  const prefixes = [...paths].filter(([pattern]) => pattern.endsWith('*'));
  return {
    verb: (verb) => [...(verbs.get('*') ?? []), ...(verbs.get(verb) ?? [])],
    group: (group) => [...(groups.get('*') ?? []), ...(groups.get(group) ?? [])],
    resource: (resource) => resourcePatterns(resource).flatMap((pattern) => resources.get(pattern) ?? []),
    name: (name) => [...everyName, ...(names.get(name) ?? [])],
    everyName: () => everyName,
    path: (path) => [
      ...(paths.get(path) ?? []),
      ...prefixes.flatMap(([pattern, indexes]) => (path.startsWith(pattern.replace(/\*+$/, '')) ? indexes : [])),
    ],
  };
}

function indexesOf(
  rules: readonly PolicyRule[],
  valuesOf: (rule: PolicyRule) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, rule] of rules.entries()) {
    for (const value of new Set(valuesOf(rule))) {
      appendTo(found, value, index);
    }
  }
  return found;
}

/** The resources in rules that cover a resource or sub-resource. */
function resourcePatterns(resource: string): readonly string[] {
  const slash = resource.indexOf('/');
  return slash < 0 ? ['*', resource] : ['*', resource, `*${resource.slice(slash)}`];
}

/** Joins values that the same held rules cover. */
function alike(values: readonly string[], coveredBy: CoveredBy): readonly AlikeValues[] {
  const found = new Map<string, { readonly values: string[]; readonly coveredBy: ReadonlySet<number> }>();
  for (const value of new Set(values)) {
    const indexes = coveredBy(value);
    const key = indexes.join(',');
    const others = found.get(key);
    if (others) others.values.push(value);
    else found.set(key, { values: [value], coveredBy: new Set(indexes) });
  }
  return [...found.values()];
}

/** The combinations of values, one of each dimension, that no held rule covers. */
function* uncovered(dimensions: readonly (readonly AlikeValues[])[]): Generator<readonly (readonly string[])[]> {
  const [first, ...rest] = dimensions;
  if (!first) return;
  for (const { values, coveredBy } of first) {
    // Without a held rule for these values, all combinations with them are missing.
    if (coveredBy.size === 0) yield [values, ...rest.map((others) => others.flatMap((other) => other.values))];
    else for (const combination of uncovered(within(rest, coveredBy))) yield [values, ...combination];
  }
}

/** The same values, of which only these held rules count. */
function within(
  dimensions: readonly (readonly AlikeValues[])[],
  indexes: ReadonlySet<number>,
): readonly (readonly AlikeValues[])[] {
  return dimensions.map((alikes) =>
    alikes.map(({ values, coveredBy }) => ({
      values,
      coveredBy: new Set([...coveredBy].filter((index) => indexes.has(index))),
    })),
  );
}

function* missingResources(held: HeldRules, rule: PolicyRule): Generator<PolicyRule> {
  const { apiGroups, resources, resourceNames, verbs } = rule;
  const named = resourceNames.length > 0;
  const dimensions = [
    alike(verbs, held.verb),
    alike(apiGroups, held.group),
    alike(resources, held.resource),
    named ? alike(resourceNames, held.name) : alike([''], held.everyName),
  ];
  for (const [missingVerbs = [], groups = [], kinds = [], names = []] of uncovered(dimensions)) {
    for (const group of groups) {
      for (const resource of kinds) {
        for (const name of names) yield resourceRule(missingVerbs, group, resource, named ? [name] : []);
      }
    }
  }
}

function* missingPaths(held: HeldRules, { verbs, nonResourceURLs }: PolicyRule): Generator<PolicyRule> {
  const dimensions = [alike(verbs, held.verb), alike(nonResourceURLs, held.path)];
  for (const [missingVerbs = [], paths = []] of uncovered(dimensions)) {
    for (const path of paths) {
      for (const verb of missingVerbs) {
        yield { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [path] };
      }
    }
  }
}

function resourceRule(
  verbs: readonly string[],
  group: string,
  resource: string,
  resourceNames: readonly string[],
): PolicyRule {
  return { verbs, apiGroups: [group], resources: [resource], resourceNames, nonResourceURLs: [] };
}

/** Adds a rule; verbs of the same resource are joined. */
function addRule(missing: Map<string, PolicyRule>, rule: PolicyRule): void {
  const { verbs, ...subject } = rule;
  const key = JSON.stringify(rule.nonResourceURLs.length > 0 ? rule : subject);
  const known = missing.get(key);
  missing.set(key, known ? { ...known, verbs: [...new Set([...known.verbs, ...verbs])] } : rule);
}
