import { type Amounts, addAmounts, noAmounts } from '../../amounts.ts';
import { chargesOf, type QuotaState } from './charges-of.ts';
import type { KnownQuota } from './known-quota.ts';
import type { LimitedResource } from './limited-resources.ts';
import type { QuotaRequest } from './quota-request.ts';

/** The outcome of a batch of writes, if the quotas are as they were read. */
export interface ChargePlan {
  /** The quotas with their new use. */
  readonly states: readonly QuotaState[];
  /** The charges of the allowed writes in total, by the UID of the quota. */
  readonly charged: ReadonlyMap<string, Amounts>;
  /** The errors of the refused writes. */
  readonly refusals: ReadonlyMap<QuotaRequest, unknown>;
}

/** Charges writes in order: each is allowed by all quotas, or charged to none. */
export function planCharges(
  quotas: readonly QuotaState[],
  requests: readonly QuotaRequest[],
  limited: readonly LimitedResource[],
): ChargePlan {
  let states = quotas;
  const charged = new Map<string, Amounts>();
  const refusals = new Map<QuotaRequest, unknown>();
  for (const request of requests) {
    try {
      const charges = chargesOf(request, states, limited);
      if (request.attributes.dryRun || charges.length === 0) continue;
      const amountsFor = ({ uid }: KnownQuota): Amounts =>
        charges.find((charge) => charge.uid === uid)?.amounts ?? noAmounts;
      states = states.map(({ quota, used }) => ({ quota, used: addAmounts(used, amountsFor(quota)) }));
      for (const { uid, amounts } of charges) charged.set(uid, addAmounts(charged.get(uid) ?? noAmounts, amounts));
    } catch (error) {
      refusals.set(request, error);
    }
  }
  return { states, charged, refusals };
}

/** The resources of a quota whose use changes. */
export function raisedResources({ quota, used }: QuotaState): readonly string[] {
  return [...used].filter(([name, { nanos }]) => quota.used.get(name)?.nanos !== nanos).map(([name]) => name);
}

/**
 * The state of a quota without charges that it contains. A use that would be negative was counted
 * again, and is zero.
 */
export function stateWithout(quota: KnownQuota, charged: Amounts = noAmounts): QuotaState {
  const { used } = quota;
  const rest = new Map(used);
  for (const [name, { nanos }] of charged) {
    const amount = used.get(name);
    if (amount) rest.set(name, { nanos: amount.nanos > nanos ? amount.nanos - nanos : 0n, format: amount.format });
  }
  return { quota, used: rest };
}
