import { memoize } from '../../../meta/memoize.ts';
import { StatusError } from '../../../status/status-error.ts';
import { type Amounts, filterAmounts, formatAmounts } from '../../../kinds/core/amounts.ts';
import { forbidden } from '../../forbidden.ts';
import type { QuotaLimits } from './quota-limits.ts';
import type { LimitedResource } from './limited-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import type { QuotaRequest } from './quota-request.ts';
import { formatScopeTerms, type ScopeTerm } from './scope-term.ts';

/** A quota and the amounts that are in use of it, which may not be written yet. */
export interface QuotaState {
  readonly quota: QuotaLimits;
  readonly used: Amounts;
}

/**
 * The states of the quotas to which a write is charged; none if it raises no use. Throws 403 if a
 * quota does not allow it, in the words of kube-apiserver.
 */
export function chargedBy<State extends QuotaState>(
  request: QuotaRequest,
  states: readonly State[],
  limited: readonly LimitedResource[],
): readonly State[] {
  const matching = states.filter(({ quota }) => matches(request, quota));
  for (const state of matching) refuseUnknownUse(request, state);
  if (request.added.size === 0) return none;
  if (limited.length > 0) refuseUncovered(request, { states, matching, limited });
  for (const state of matching) refuseExcess(request, state);
  return matching;
}

const none: readonly never[] = Object.freeze([]);

/** The resources that a quota limits and that objects of an evaluator can use. */
const limitedNames = memoize((evaluator: QuotaEvaluator) =>
  memoize(({ hard }: QuotaLimits): readonly string[] => [...hard.keys()].filter(evaluator.uses)),
);

/**
 * Reports whether a quota limits something that the object can use, and the object is in its
 * scopes.
 */
export function matches({ object, evaluator }: QuotaRequest, quota: QuotaLimits): boolean {
  if (limitedNames(evaluator)(quota).length === 0) return false;
  return quota.terms.every((term) => evaluator.isInScope?.(object, term) ?? false);
}

/**
 * Throws if the object does not state its use of a resource that a matching quota limits, or if the
 * quota's use is not counted yet.
 */
function refuseUnknownUse({ attributes, object, evaluator }: QuotaRequest, { quota, used }: QuotaState): void {
  const names = limitedNames(evaluator)(quota);
  const missing = evaluator.missing?.(object, names) ?? none;
  if (missing.length > 0) throw forbidden(attributes, `failed quota: ${quota.name}: must specify ${missing.join(',')}`);
  if (names.some((name) => !used.has(name))) {
    const resources = names.toSorted().join(',');
    throw forbidden(attributes, `status unknown for quota: ${quota.name}, resources: ${resources}`);
  }
}

/** Throws if a write would raise a use above the limit of a quota. */
function refuseExcess({ attributes, added }: QuotaRequest, { quota, used }: QuotaState): void {
  const { name: quotaName, hard } = quota;
  const isExceeded = (name: string): boolean => {
    const [amount, most] = [added.get(name), hard.get(name)];
    return amount && most ? (used.get(name)?.nanos ?? 0n) + amount.nanos > most.nanos : false;
  };
  const exceeded = new Set([...hard.keys()].filter(isExceeded));
  if (exceeded.size === 0) return;
  const [requested, before, limits] = [added, used, hard].map((list) =>
    formatAmounts(filterAmounts(list, (name) => exceeded.has(name))),
  );
  throw forbidden(
    attributes,
    `exceeded quota: ${quotaName}, requested: ${requested}, used: ${before}, limited: ${limits}`,
  );
}

interface Coverage {
  readonly states: readonly QuotaState[];
  /** The states of the quotas that match the write. */
  readonly matching: readonly QuotaState[];
  readonly limited: readonly LimitedResource[];
}

/** Refuses a write that the configuration allows only where a quota covers it. */
function refuseUncovered(request: QuotaRequest, { states, matching, limited }: Coverage): void {
  const { attributes, object, usage, evaluator } = request;
  const covered = new Set(matching.flatMap(({ quota }) => limitedNames(evaluator)(quota)));
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
