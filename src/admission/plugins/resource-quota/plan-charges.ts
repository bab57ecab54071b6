import type { Quantity } from '../../../meta/quantity.ts';
import { addAmount, type Amounts, noAmounts } from '../../../kinds/core/amounts.ts';
import { chargedBy, type QuotaState } from './charged-by.ts';
import type { QuotaLimits } from './quota-limits.ts';
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

/** A state to which charges are added. */
interface RunningState extends QuotaState {
  readonly used: Map<string, Quantity>;
  readonly charged: Map<string, Quantity>;
}

/** Charges writes in order: each is allowed by all quotas, or charged to none. */
export function planCharges(
  quotas: readonly QuotaState[],
  requests: readonly QuotaRequest[],
  limited: readonly LimitedResource[],
): ChargePlan {
  const states = quotas.map(({ quota, used }): RunningState => ({ quota, used: new Map(used), charged: new Map() }));
  const refusals = new Map<QuotaRequest, unknown>();
  for (const request of requests) {
    try {
      const charged = chargedBy(request, states, limited);
      if (!request.attributes.dryRun) for (const state of charged) addCharge(state, request.added);
    } catch (error) {
      refusals.set(request, error);
    }
  }
  return { states, charged: new Map(states.map(({ quota, charged }) => [quota.uid, charged])), refusals };
}

function addCharge({ quota, used, charged }: RunningState, added: Amounts): void {
  for (const name of quota.hard.keys()) {
    const amount = added.get(name);
    if (!amount) continue;
    addAmount(used, name, amount);
    addAmount(charged, name, amount);
  }
}

/** The resources of a quota whose use changes. */
export function raisedResources({ quota, used }: QuotaState): readonly string[] {
  return [...used].filter(([name, { nanos }]) => quota.used.get(name)?.nanos !== nanos).map(([name]) => name);
}

/**
 * The state of a quota without charges that it contains. A use that would be negative was counted
 * again, and is zero.
 */
export function stateWithout(quota: QuotaLimits, charged: Amounts = noAmounts): QuotaState {
  const { used } = quota;
  const rest = new Map(used);
  for (const [name, { nanos }] of charged) {
    const amount = used.get(name);
    if (amount) rest.set(name, { nanos: amount.nanos > nanos ? amount.nanos - nanos : 0n, format: amount.format });
  }
  return { quota, used: rest };
}
