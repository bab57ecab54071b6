import type { PodSpec } from '../../../gen/stored/core-v1.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { amountAt, type AmountTexts } from '../../../kinds/core/amounts.ts';
import { isSidecar } from '../../../kinds/core/pod.ts';
import { isForWholePods } from '../../../kinds/core/pod-amounts.ts';

/** The two lists of amounts of an object. */
type AmountList = 'requests' | 'limits';

/** An object with requests and limits: a container, or the spec of a claim. */
interface ResourceOwner {
  readonly resources: { readonly [List in AmountList]?: AmountTexts };
}

/** The amount of a resource in a list of an object; undefined if there is none. */
export type UseOf = (list: AmountList, resource: string) => Quantity | undefined;

/** The use of a container. */
export function useOf({ resources }: ResourceOwner): UseOf {
  return (list, resource) => amountAt(resources[list], resource);
}

/** The request of a claim's spec; claims have no limits. */
export function requestOf(spec: ResourceOwner): UseOf {
  return (list, resource) => (list === 'requests' ? useOf(spec)(list, resource) : undefined);
}

/**
 * The resources that a pod spec uses: the amount at pod level, or else the sum of its containers
 * and sidecars, or more if an init container, with the sidecars before it, uses more. A resource
 * has no sum if one of the containers states no amount.
 */
export function useOfPod({ containers, initContainers, resources }: PodSpec): UseOf {
  const init = initContainers ?? [];
  const running = [...(containers ?? []), ...init.filter(isSidecar)];
  return (list, resource) => {
    const whole = isForWholePods(resource) ? amountAt(resources?.[list], resource) : undefined;
    if (whole) return whole;
    let most = sum(running, list, resource);
    for (const [index, container] of init.entries()) {
      if (isSidecar(container)) continue;
      const beside = init.slice(0, index).filter(isSidecar);
      const amount = beside.length > 0 ? sum([...beside, container], list, resource) : useOf(container)(list, resource);
      if (!most || (amount && amount.nanos > most.nanos)) most = amount;
    }
    return most;
  };
}

function sum(containers: readonly ResourceOwner[], list: AmountList, resource: string): Quantity | undefined {
  if (containers.length === 0) return undefined;
  const unit = resource === 'cpu' ? thousandth : whole;
  let nanos = 0n;
  for (const container of containers) {
    const amount = useOf(container)(list, resource);
    if (!amount) return undefined;
    nanos += roundedUp(amount.nanos, unit);
  }
  return { nanos, format: 'decimal' };
}

/** CPU is counted in thousandths, other resources in whole numbers, as in kube-apiserver. */
const [thousandth, whole] = [10n ** 6n, 10n ** 9n];

function roundedUp(nanos: bigint, unit: bigint): bigint {
  return nanos % unit === 0n ? nanos : ((nanos + unit - 1n) / unit) * unit;
}
