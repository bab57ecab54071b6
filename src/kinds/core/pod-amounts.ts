import { addAmount, type Amounts, type AmountTexts, joinAmounts, raiseAmount } from './amounts.ts';
import { isSidecar } from './pod.ts';
import type { Quantity } from '../../meta/quantity.ts';

/** A list of amounts of resources. */
type AmountList = 'requests' | 'limits';

type Resources = { readonly [List in AmountList]?: AmountTexts };

interface AnyContainer {
  readonly resources?: Resources;
  readonly restartPolicy?: string;
}

/** A pod spec as the server stores it, or as a client sends it. */
interface AnyPodSpec {
  readonly containers?: readonly AnyContainer[] | null;
  readonly initContainers?: readonly AnyContainer[];
  readonly resources?: Resources;
  readonly overhead?: AmountTexts;
}

/**
 * The amounts that the containers of a pod need together: the sum of those that run, sidecars
 * included, or the most that runs with an init container.
 */
export function containerAmounts({ containers, initContainers }: AnyPodSpec, list: AmountList): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const { resources } of containers ?? []) joinAmounts(sum, resources?.[list], addAmount);
  if (!initContainers?.length) return sum;
  const [sidecars, most] = [new Map<string, Quantity>(), new Map<string, Quantity>()];
  for (const container of initContainers) {
    const amounts = new Map(sidecars);
    joinAmounts(amounts, container.resources?.[list], addAmount);
    for (const [name, amount] of amounts) raiseAmount(most, name, amount);
    if (!isSidecar(container)) continue;
    joinAmounts(sidecars, container.resources?.[list], addAmount);
    joinAmounts(sum, container.resources?.[list], addAmount);
  }
  for (const [name, amount] of most) raiseAmount(sum, name, amount);
  return sum;
}

/**
 * The amounts of a pod: the amounts that it states as a whole, else the amounts of its containers,
 * and its overhead.
 */
export function podAmounts(spec: AnyPodSpec, list: AmountList): Amounts {
  const total = containerAmounts(spec, list);
  joinAmounts(total, spec.resources?.[list], (amounts, name, amount) => {
    if (isForWholePods(name)) amounts.set(name, amount);
  });
  joinAmounts(total, spec.overhead, addAmount);
  return total;
}

/** True if a pod can state an amount of a resource for all of its containers together. */
export function isForWholePods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** True if a pod states amounts for all of its containers together. */
export function hasWholeAmounts({ resources: { requests = {}, limits = {} } = {} }: AnyPodSpec): boolean {
  return [requests, limits].some((list) => Object.keys(list).some(isForWholePods));
}
