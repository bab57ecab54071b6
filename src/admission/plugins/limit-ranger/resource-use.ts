import type { JsonObject } from '../../../meta/json-value.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import { amountAt } from '../../amounts.ts';

/** The two lists of amounts of an object. */
type AmountList = 'requests' | 'limits';

/** The amount of a resource in a list of an object; undefined if there is none. */
export type UseOf = (owner: JsonObject, list: AmountList, resource: string) => Quantity | undefined;

/** The use of a container or of a claim's spec. */
export const useOf: UseOf = (owner, list, resource) => amountAt(objectAt(owner, 'resources', list), resource);

/** The request of a claim's spec; claims have no limits. */
export const requestOf: UseOf = (spec, list, resource) =>
  list === 'requests' ? useOf(spec, list, resource) : undefined;

/**
 * The use of a Pod's spec: the sum of its containers, or more if an init container uses more. A
 * resource without an amount in one of the containers has no sum.
 */
export const useOfPod: UseOf = (spec, list, resource) => {
  let most = sum(objectsAt(spec, 'containers'), list, resource);
  for (const container of objectsAt(spec, 'initContainers')) {
    const amount = useOf(container, list, resource);
    if (!most || (amount && amount.nanos > most.nanos)) most = amount;
  }
  return most;
};

function sum(containers: readonly JsonObject[], list: AmountList, resource: string): Quantity | undefined {
  if (containers.length === 0) return undefined;
  const unit = resource === 'cpu' ? thousandth : whole;
  let nanos = 0n;
  for (const container of containers) {
    const amount = useOf(container, list, resource);
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
