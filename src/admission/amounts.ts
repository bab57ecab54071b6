import type { JsonObject } from '../meta/json-value.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../meta/quantity.ts';
import { stringEntriesAt } from '../meta/read-field.ts';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** No amounts. */
export const noAmounts: Amounts = new Map();

/** Parses the amounts in a map field. Skips invalid quantities, which validation reports. */
export function amountsAt(object: JsonObject, name: string): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [resource, text] of stringEntriesAt(object, name)) {
    const quantity = parseQuantity(text);
    if (!('error' in quantity)) amounts.set(resource, quantity);
  }
  return amounts;
}

/** The amount of a number of things. */
export function countOf(count: number): Quantity {
  return { nanos: BigInt(count) * 10n ** 9n, format: 'decimal' };
}

/** The sum of two lists; a resource of one list alone keeps its amount. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  if (b.size === 0) return a;
  const sum = new Map(a);
  for (const [name, amount] of b) {
    const known = sum.get(name);
    sum.set(name, known ? addQuantities(known, amount) : amount);
  }
  return sum;
}

/** The larger of the two amounts of each resource. */
export function largerAmounts(a: Amounts, b: Amounts): Amounts {
  const larger = new Map(a);
  for (const [name, amount] of b) {
    const known = larger.get(name);
    if (!known || amount.nanos > known.nanos) larger.set(name, amount);
  }
  return larger;
}

/** The amounts for which the predicate holds. */
export function filterAmounts(amounts: Amounts, keep: (name: string, amount: Quantity) => boolean): Amounts {
  return new Map([...amounts].filter(([name, amount]) => keep(name, amount)));
}

/** Formats amounts for a message: `cpu=1,memory=1Gi`, sorted. */
export function formatAmounts(amounts: Amounts): string {
  return [...amounts.keys()]
    .toSorted()
    .map((name) => `${name}=${formatQuantity(amounts.get(name) as Quantity)}`)
    .join(',');
}
