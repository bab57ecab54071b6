import type { Difference } from '../compare.ts';
import { type Exchange, isStatus, type MetDifference } from './known-difference.ts';

/** Whether the reference has lost finalizers: the object is gone with its DELETE, and is not there afterwards. */
export function isOfLostFinalizer(difference: Difference, exchange: Exchange, met: readonly MetDifference[]): boolean {
  const isLost = met.some(({ places }) => places.some((place) => place.join('.') === 'metadata.finalizers'));
  if (!isLost) return false;
  const { step, earlier = [] } = exchange;
  if (step.method === 'DELETE') return !isStatus(difference) || difference.reference === 200;
  return (
    isStatus(difference) && difference.reference === 404 && earlier.some((before) => before.step.method === 'DELETE')
  );
}
