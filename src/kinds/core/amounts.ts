import { getOwn } from '../../meta/json-value.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../../meta/quantity.ts';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** No amounts. */
export const noAmounts: Amounts = new Map();

/** The amounts of a field as texts. */
export type AmountTexts = Readonly<Record<string, string>> | undefined;

/** Parses amounts. Skips invalid quantities, which validation reports. */
export function amountsIn(texts: AmountTexts): Amounts {
  const amounts = new Map<string, Quantity>();
  joinAmounts(amounts, texts, addAmount);
  return amounts;
}

/** Joins amounts with a list, which it mutates. Skips invalid quantities. */
export function joinAmounts(list: Map<string, Quantity>, texts: AmountTexts, join: typeof addAmount): void {
  for (const resource of Object.keys(texts ?? {})) {
    const amount = amountAt(texts, resource);
    if (amount) join(list, resource, amount);
  }
}

/** Parses one amount; undefined if it is missing or invalid. */
export function amountAt(texts: AmountTexts, resource: string): Quantity | undefined {
  const text = texts && getOwn(texts, resource);
  const quantity = text ? parseQuantity(text) : undefined;
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

/** Raises an amount in a list to the given amount, if it is lower. Mutates the list. */
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
