import { compareSemvers, readSemver } from '../../../cel/functions/semvers.ts';
import type { LeaseCandidate } from '../../../gen/stored/coordination-v1beta1.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkStrategy, oldestEmulationVersion } from '../lease-strategy.ts';

/** All errors of a candidate. Its versions are semantic versions. */
export function validateCandidate({ spec }: LeaseCandidate): readonly FieldError[] {
  const { binaryVersion, emulationVersion = '', strategy = '' } = spec;
  const emulated = readSemver(emulationVersion);
  const binary = readSemver(binaryVersion);
  const notSemver = 'must be a valid semantic version';
  const emulationField = 'spec.emulationVersion';
  const binaryField = 'spec.binaryVersion';
  // A version that cannot be read counts as the lowest one.
  const isBelow = emulated !== undefined && (binary === undefined || compareSemvers(binary, emulated) < 0);
  const isUnset = emulated === undefined || isZero(emulationVersion);
  return [
    ...(emulationVersion !== '' && !emulated ? [invalid(emulationField, emulationVersion, notSemver)] : []),
    ...(binaryVersion === '' ? [required(binaryField)] : []),
    ...(binaryVersion !== '' && !binary ? [invalid(binaryField, binaryVersion, notSemver)] : []),
    ...(binaryVersion !== '' && isBelow
      ? [invalid(binaryField, binaryVersion, 'must be greater than or equal to `emulationVersion`')]
      : []),
    ...(strategy === oldestEmulationVersion && isUnset
      ? [required(emulationField, "must be specified when `strategy` is 'OldestEmulationVersion'")]
      : []),
    ...(strategy === '' ? [required('spec.strategy')] : checkStrategy('spec.strategy', strategy)),
  ];
}

function isZero(version: string): boolean {
  return /^0\.0\.0(?:\+|$)/.test(version);
}
