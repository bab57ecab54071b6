import type { Toleration } from '../gen/stored/core-v1.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';
import { TolerationIndex } from './toleration-index.ts';

/** Maximum of tolerations that are merged for a Pod. */
const tolerationLimit = 1000;

/** Refuses a Pod with more tolerations than can be merged in time: its own and those added. */
export function refuseTooMany(
  attributes: Pick<AdmissionAttributes, 'resource' | 'name' | 'object'>,
  count: number,
): void {
  if (count <= tolerationLimit) return;
  throw forbidden(attributes, `pod has ${count} tolerations, at most ${tolerationLimit} can be checked`);
}

/** Joins two lists without the tolerations that others cover. Does not copy. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const later = new TolerationIndex();
  const isCoveredLater = all
    .toReversed()
    .map((toleration) => {
      const isCovered = later.coversByAnother(toleration);
      later.add(toleration);
      return isCovered;
    })
    .toReversed();
  const kept = new TolerationIndex();
  return all.filter((toleration, index) => {
    const isKept = isCoveredLater[index] === false && !kept.covers(toleration);
    if (isKept) kept.add(toleration);
    return isKept;
  });
}
