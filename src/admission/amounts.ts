import type { JsonObject } from '../meta/json-value.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../meta/quantity.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** No amounts. */
export const noAmounts: Amounts = new Map();

/** Parses the amounts in a map field. Skips invalid quantities, which validation reports. */
export function amountsAt(object: JsonObject, name: string): Amounts {
  const amounts = new Map<string, Quantity>();
  joinAmounts(amounts, objectAt(object, name), addAmount);
  return amounts;
}

/** Joins the amounts of a map field with a list, which it mutates. Skips invalid quantities. */
export function joinAmounts(list: Map<string, Quantity>, texts: JsonObject, join: typeof addAmount): void {
  for (const resource of Object.keys(texts)) {
    const amount = amountAt(texts, resource);
    if (amount) join(list, resource, amount);
  }
}

/** Parses one amount; undefined if it is missing or invalid. */
export function amountAt(amounts: JsonObject, resource: string): Quantity | undefined {
  const text = stringAt(amounts, resource);
  const quantity = text === '' ? undefined : parseQuantity(text);
  return quantity && !('error' in quantity) ? quantity : undefined;
}

/** The amount of a number of things. */
export function countOf(count: number): Quantity {
  return { nanos: BigInt(count) * nanosPerUnit, format: 'decimal' };
}

const nanosPerUnit = 10n ** 9n;

/** Adds an amount to a list. Mutates the list. */
export function addAmount(sum: Map<string, Quantity>, name: string, amount: Quantity): void {
  const known = sum.get(name);
  sum.set(name, known ? addQuantities(known, amount) : amount);
}

/** Raises an amount in a list to that of another list, if it is lower. Mutates the list. */
export function raiseAmount(most: Map<string, Quantity>, name: string, amount: Quantity): void {
  const known = most.get(name);
  if (!known || amount.nanos > known.nanos) most.set(name, amount);
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
