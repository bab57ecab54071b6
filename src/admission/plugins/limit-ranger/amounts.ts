import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import { objectAt, objectsAt, stringEntriesAt } from '../../../meta/read-field.ts';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The amounts that an object requests, and those to which it is limited. */
export interface ResourceUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Parses the amounts in a map field. Skips invalid quantities, which validation reports. */
export function amountsAt(object: JsonObject, name: string): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [resource, text] of stringEntriesAt(object, name)) {
    const quantity = parseQuantity(text);
    if (!('error' in quantity)) amounts.set(resource, quantity);
  }
  return amounts;
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
    largest([sum(containers.map((use) => use[of])), ...first.map((use) => use[of])]);
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

function largest(lists: readonly Amounts[]): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, amount] of lists.flatMap((list) => [...list])) {
    const known = amounts.get(name);
    if (!known || amount.nanos > known.nanos) amounts.set(name, amount);
  }
  return amounts;
}
