import type { Quantity } from '../../../meta/quantity.ts';
import { StatusError } from '../../../status/status-error.ts';
import { type Amounts, filterAmounts, formatAmounts } from '../../amounts.ts';
import { forbidden } from '../../forbidden.ts';
import type { KnownQuota } from './known-quota.ts';
import type { LimitedResource } from './limited-resources.ts';
import type { QuotaRequest } from './quota-request.ts';
import { formatScopeTerms, type ScopeTerm } from './scope-term.ts';

/** A quota and the amounts that are in use of it, which may not be written yet. */
export interface QuotaState {
  readonly quota: KnownQuota;
  readonly used: Amounts;
}

/** The amounts by which a write raises the use of a quota. */
interface Charge {
  readonly uid: string;
  readonly amounts: Amounts;
}

/**
 * The charges of a write; none if it raises no use. Throws 403 if a quota does not allow it, in the
 * words of kube-apiserver.
 */
export function chargesOf(
  request: QuotaRequest,
  states: readonly QuotaState[],
  limited: readonly LimitedResource[],
): readonly Charge[] {
  const matching = states.filter(({ quota }) => matches(request, quota));
  const names = matching.map((state) => limitedBy(request, state));
  if (request.added.size === 0) return [];
  if (limited.length > 0) refuseUncovered(request, { states, covered: new Set(names.flat()), limited });
  return matching.map((state) => chargeOf(request, state)).filter(({ amounts }) => amounts.size > 0);
}

/**
 * Reports whether a quota limits something that the object can use, and the object is in its
 * scopes.
 */
export function matches({ object, evaluator }: QuotaRequest, { hard, terms }: KnownQuota): boolean {
  const { uses, isInScope } = evaluator;
  return hasSome(hard.keys(), uses) && terms.every((term) => isInScope?.(object, term) ?? false);
}

/**
 * The resources that a matching quota limits for the object. Throws if the object does not state
 * its use of one, or if the quota's use is not counted yet.
 */
function limitedBy({ attributes, object, evaluator }: QuotaRequest, { quota, used }: QuotaState): readonly string[] {
  const names = [...quota.hard.keys()].filter(evaluator.uses);
  const missing = evaluator.missing?.(object, names) ?? [];
  if (missing.length > 0) throw forbidden(attributes, `failed quota: ${quota.name}: must specify ${missing.join(',')}`);
  if (names.some((name) => !used.has(name))) {
    const resources = names.toSorted().join(',');
    throw forbidden(attributes, `status unknown for quota: ${quota.name}, resources: ${resources}`);
  }
  return names;
}

function chargeOf({ attributes, added }: QuotaRequest, { quota, used }: QuotaState): Charge {
  const { name: quotaName, hard, uid } = quota;
  const amounts = new Map<string, Quantity>();
  const exceeded = new Map<string, Quantity>();
  for (const [name, amount] of added) {
    const most = hard.get(name);
    if (!most) continue;
    amounts.set(name, amount);
    if ((used.get(name)?.nanos ?? 0n) + amount.nanos > most.nanos) exceeded.set(name, most);
  }
  if (exceeded.size === 0) return { uid, amounts };
  const [requested, before] = [amounts, used].map((list) =>
    formatAmounts(filterAmounts(list, (name) => exceeded.has(name))),
  );
  const texts = `requested: ${requested}, used: ${before}, limited: ${formatAmounts(exceeded)}`;
  throw forbidden(attributes, `exceeded quota: ${quotaName}, ${texts}`);
}

interface Coverage {
  readonly states: readonly QuotaState[];
  /** The resources that matching quotas limit. */
  readonly covered: ReadonlySet<string>;
  readonly limited: readonly LimitedResource[];
}

/** Refuses a write that the configuration allows only where a quota covers it. */
function refuseUncovered(request: QuotaRequest, { states, covered, limited }: Coverage): void {
  const { attributes, object, usage, evaluator } = request;
  const { group, resource } = attributes.resource;
  const rules = limited.filter((rule) => rule.group === group && rule.resource === resource);
  const needed = [...usage].filter(
    ([name, { nanos }]) => nanos > 0n && rules.some(({ contains }) => contains.some((part) => name.includes(part))),
  );
  const uncovered = needed.map(([name]) => name).filter((name) => !covered.has(name));
  if (uncovered.length > 0) {
    throw forbidden(attributes, `insufficient quota to consume: ${uncovered.toSorted().join(',')}`);
  }
  const isIn = (term: ScopeTerm): boolean => evaluator.isInScope?.(object, term) ?? false;
  const scopes = new Set(states.flatMap(({ quota }) => quota.terms.filter(isIn)).map(({ scope }) => scope));
  const unscoped = limited.flatMap((rule) => rule.scopes.filter(isIn)).filter(({ scope }) => !scopes.has(scope));
  // Without reason, as kube-apiserver answers.
  if (unscoped.length > 0) {
    throw new StatusError('', `insufficient quota to match these scopes: ${formatScopeTerms(unscoped)}`);
  }
}

function hasSome(names: Iterable<string>, isWanted: (name: string) => boolean): boolean {
  for (const name of names) if (isWanted(name)) return true;
  return false;
}
