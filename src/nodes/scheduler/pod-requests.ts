import type { Pod } from '../../controllers/resources.ts';
import { isSidecar } from '../../kinds/core/pod.ts';
import { podAmounts } from '../../kinds/core/pod-amounts.ts';
import { parseQuantity } from '../../meta/quantity.ts';

/** Amounts by resource, in thousandths of a unit. */
export type Amounts = Readonly<Record<string, number>>;

/**
 * The resources that a pod requests of its node (`podAmounts`), including itself as one of `pods`.
 * During a resize the larger amounts count.
 */
export function requestsOf({ spec, status }: Pod): Amounts {
  const total: Record<string, number> = {};
  for (const [name, { nanos }] of podAmounts(spec, 'requests')) total[name] = Number(nanos / 1_000_000n);
  for (const [name, amount] of Object.entries(heldAmounts(spec, status)))
    total[name] = Math.max(total[name] ?? 0, amount);
  return { ...total, pods: 1000 };
}

/**
 * The amounts that the node has allocated to the containers of a pod, as far as it reports them.
 */
function heldAmounts({ initContainers = [], resources: wanted }: Pod['spec'], status: Pod['status']): Amounts {
  const total: Record<string, number> = {};
  if (wanted && status?.allocatedResources) return amountsOf(status.allocatedResources);
  const sidecars = (status?.initContainerStatuses ?? []).filter((one) =>
    initContainers.some((container) => container.name === one.name && isSidecar(container)),
  );
  for (const { resources, allocatedResources } of [...(status?.containerStatuses ?? []), ...sidecars]) {
    addTo(total, amountsOf(allocatedResources ?? resources?.requests));
  }
  return total;
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
