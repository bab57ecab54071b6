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
