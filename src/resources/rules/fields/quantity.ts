import { compareQuantities, parseQuantity } from '../../../meta/quantity.ts';

/** Whether one amount is more than another, whatever their formats; false where either is no quantity. */
export function isMoreThan(left: string, right: string): boolean {
  const [a, b] = [parseQuantity(left), parseQuantity(right)];
  return !('error' in a) && !('error' in b) && compareQuantities(a, b) > 0;
}
