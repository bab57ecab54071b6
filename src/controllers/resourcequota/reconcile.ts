import { isDeepStrictEqual } from 'node:util';
import { addAmount, amountsIn, countOf, filterAmounts, raiseAmount } from '../../kinds/core/amounts.ts';
import type { QuotaEvaluator } from '../../admission/plugins/resource-quota/quota-evaluator.ts';
import { scopeTermsOf } from '../../admission/plugins/resource-quota/scope-term.ts';
import type { ResourceQuota } from '../../gen/types/core-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { formatQuantity, type Quantity } from '../../meta/quantity.ts';

/** A resource whose objects use quotas. */
export interface CountedKind {
  readonly group: string;
  readonly resource: string;
}

/** Finds the evaluator of a resource; undefined if quotas do not concern it. */
type FindEvaluator = (group: string, resource: string) => QuotaEvaluator | undefined;

/** The calls of `reconcile`. */
interface QuotaCalls {
  readonly evaluatorOf: FindEvaluator;
  /** The objects of a kind in the namespace of the quota; undefined if there is no such kind. */
  readonly list: (kind: CountedKind) => Promise<readonly JsonObject[] | undefined>;
  readonly update: (quota: ResourceQuota) => Promise<unknown>;
}

/** Core resources that quotas limit by other names than `count/...`. */
const coreResources = [
  'pods',
  'services',
  'persistentvolumeclaims',
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
];

/**
 * How a count changes the status. It lacks the objects that are not seen yet, whose use admission
 * has charged: after a `replace` the use can be too low, until they are seen and a `raise` follows,
 * which lowers nothing.
 */
type CountMode = 'replace' | 'raise';

/**
 * Writes the limits of a quota and their use to its status, unless the status has them. The use of
 * a kind that does not exist is not written.
 */
export async function reconcile(quota: ResourceQuota, mode: CountMode, calls: QuotaCalls): Promise<void> {
  const hard = amountsIn(quota.spec?.hard);
  const terms = scopeTermsOf(quota.spec ?? {});
  const before = amountsIn(quota.status?.used);
  const used = new Map(filterAmounts(before, (name) => hard.has(name)));
  for (const kind of kindsOf(quota, calls.evaluatorOf)) {
    const evaluator = calls.evaluatorOf(kind.group, kind.resource);
    if (!evaluator) continue;
    const names = [...hard.keys()].filter(evaluator.uses);
    const objects = await calls.list(kind);
    if (!objects) continue;
    const inScope = objects.filter((object) => terms.every((term) => evaluator.isInScope?.(object, term) ?? false));
    const sum = sumOf(inScope, evaluator, names);
    if (mode === 'raise') for (const name of names) raiseAmount(sum, name, before.get(name) ?? countOf(0));
    for (const [name, amount] of sum) used.set(name, amount);
  }
  const texts = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  const status = { hard: quota.spec?.hard ?? {}, used: texts };
  if (!isDeepStrictEqual(status, { hard: {}, used: {}, ...quota.status })) await calls.update({ ...quota, status });
}

/** The use of the resources with these names by objects. */
function sumOf(
  objects: readonly JsonObject[],
  evaluator: QuotaEvaluator,
  names: readonly string[],
): Map<string, Quantity> {
  const sum = new Map(names.map((name) => [name, countOf(0)]));
  for (const object of objects) {
    for (const [name, amount] of evaluator.usageOf(object)) if (sum.has(name)) addAmount(sum, name, amount);
  }
  return sum;
}

/**
 * True if the status has the limits of the specification, and a use of each resource that can be
 * counted. Without a resource (`count/events`) there is nothing to count.
 */
export function isCounted(
  quota: ResourceQuota,
  evaluatorOf: FindEvaluator,
  exists: (kind: CountedKind) => boolean,
): boolean {
  const hard = quota.spec?.hard ?? {};
  if (!isDeepStrictEqual(hard, quota.status?.hard ?? {})) return false;
  const uses = kindsOf(quota, evaluatorOf)
    .filter(exists)
    .flatMap(({ group, resource }) => evaluatorOf(group, resource)?.uses ?? []);
  const countable = Object.keys(hard).filter((name) => uses.some((isUsed) => isUsed(name)));
  return countable.every((name) => quota.status?.used?.[name]);
}

/** The kinds whose objects can use resources that a quota limits. */
export function kindsOf({ spec }: ResourceQuota, evaluatorOf: FindEvaluator): readonly CountedKind[] {
  const names = Object.keys(spec?.hard ?? {});
  const core = coreResources.map((resource) => ({ group: '', resource }));
  const counted = names.filter((name) => name.startsWith('count/')).map(countedKind);
  const others = counted.filter(({ group, resource }) => group !== '' || !coreResources.includes(resource));
  return [...core, ...others].filter(({ group, resource }) => {
    const evaluator = evaluatorOf(group, resource);
    return evaluator !== undefined && names.some(evaluator.uses);
  });
}

/** The resource in `count/<resource>.<group>`. */
function countedKind(name: string): CountedKind {
  const [resource = '', ...group] = name.slice('count/'.length).split('.');
  return { group: group.join('.'), resource };
}
