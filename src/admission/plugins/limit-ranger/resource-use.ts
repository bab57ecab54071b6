import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import { type Amounts, amountsAt, largerAmounts } from '../../amounts.ts';

/** The amounts that an object requests, and those to which it is limited. */
export interface ResourceUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The use of a container or of a claim's spec. */
export function useOf(owner: JsonObject): ResourceUse {
  const resources = objectAt(owner, 'resources');
  return { requests: amountsAt(resources, 'requests'), limits: amountsAt(resources, 'limits') };
}

/**
 * The use of a Pod: the sum of its containers, or more if an init container uses more. A resource
 * without an amount in one of the containers has no sum.
 */
export function useOfPod(spec: JsonObject): ResourceUse {
  const containers = objectsAt(spec, 'containers').map(useOf);
  const first = objectsAt(spec, 'initContainers').map(useOf);
  const total = (of: keyof ResourceUse): Amounts =>
    first.reduce((most, use) => largerAmounts(most, use[of]), sum(containers.map((use) => use[of])));
  return { requests: total('requests'), limits: total('limits') };
}

function sum(lists: readonly Amounts[]): Amounts {
  const totals = new Map<string, { nanos: bigint; count: number }>();
  for (const list of lists) {
    for (const [name, amount] of list) {
      const { nanos, count } = totals.get(name) ?? { nanos: 0n, count: 0 };
      totals.set(name, { nanos: nanos + roundedUp(name, amount.nanos), count: count + 1 });
    }
  }
  const inAll = [...totals].filter(([, { count }]) => count === lists.length);
  return new Map(inAll.map(([name, { nanos }]) => [name, { nanos, format: 'decimal' }]));
}

/** CPU is counted in thousandths, other resources in whole numbers, as in kube-apiserver. */
function roundedUp(name: string, nanos: bigint): bigint {
  const unit = name === 'cpu' ? 10n ** 6n : 10n ** 9n;
  return ((nanos + unit - 1n) / unit) * unit;
}
