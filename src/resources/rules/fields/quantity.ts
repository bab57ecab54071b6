import { compareQuantities, parseQuantity } from '../../../meta/quantity.ts';

/** True if the quantity `left` is greater than `right`. False if either is not a quantity. */
export function isMoreThan(left: string, right: string): boolean {
  const [a, b] = [parseQuantity(left), parseQuantity(right)];
  return !('error' in a) && !('error' in b) && compareQuantities(a, b) > 0;
}
