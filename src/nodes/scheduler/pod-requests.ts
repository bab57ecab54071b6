import type { Pod } from '../../controllers/resources.ts';
import { parseQuantity } from '../../meta/quantity.ts';

/** Amounts by resource, in thousandths of a unit. */
export type Amounts = Readonly<Record<string, number>>;

/**
 * The resources that a pod takes of its node: the sum of its containers, or the most of an init
 * container if that is more, the overhead, and itself as one of `pods`.
 */
export function requestsOf({ spec }: Pod): Amounts {
  const total: Record<string, number> = {};
  for (const { resources } of spec.containers ?? []) addTo(total, amountsOf(resources?.requests));
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, amount] of Object.entries(amountsOf(resources?.requests))) {
      total[name] = Math.max(total[name] ?? 0, amount);
    }
  }
  addTo(total, amountsOf(spec.overhead));
  return { ...total, pods: 1000 };
}

/** Reads quantities; those that are not valid are left out. */
export function amountsOf(quantities: Readonly<Record<string, string>> = {}): Amounts {
  const amounts: Record<string, number> = {};
  for (const [name, text] of Object.entries(quantities)) {
    const quantity = parseQuantity(text);
    if (!('error' in quantity)) amounts[name] = Number(quantity.nanos / 1_000_000n);
  }
  return amounts;
}

/** Adds amounts, `factor` times. */
export function addTo(total: Record<string, number>, amounts: Amounts, factor = 1): void {
  for (const [name, amount] of Object.entries(amounts)) total[name] = (total[name] ?? 0) + factor * amount;
}
