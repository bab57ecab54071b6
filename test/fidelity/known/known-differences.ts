import { applyDifferences } from './apply-differences.ts';
import { customDifferences } from './custom-differences.ts';
import type { KnownDifference } from './known-difference.ts';
import { referenceDifferences } from './reference-differences.ts';
import { releaseDifferences } from './release-differences.ts';

/** Every difference that is meant and that random requests can show. The first that matches explains a difference. */
export const knownDifferences: readonly KnownDifference[] = [
  ...releaseDifferences,
  ...referenceDifferences,
  ...applyDifferences,
  ...customDifferences,
];

/** The first release that answers as this server does where a row begins with `release-`. */
const comparedRelease = 23;

/** The differences that are meant beside a reference of a release `1.minor`. */
export function knownDifferencesOf(minor: number): readonly KnownDifference[] {
  return minor < comparedRelease ? knownDifferences : knownDifferences.filter(({ row }) => !row.startsWith('release-'));
}
