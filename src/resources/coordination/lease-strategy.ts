import { validateQualifiedName } from '../../meta/validate-name.ts';
import { type FieldError, notSupported } from '../../status/field-error.ts';
import { checkString } from '../rules/fields/field-checks.ts';

/** The strategy that gives a Lease to the candidate which behaves as the oldest version. */
export const oldestEmulationVersion = 'OldestEmulationVersion';

/**
 * Checks how the holder of a Lease is chosen: by a strategy of the system, or one whose name has a
 * domain. kube-apiserver reports the errors at a field below the given one.
 */
export function checkStrategy(field: string, strategy: string): readonly FieldError[] {
  const reported = `${field}.strategy`;
  if (strategy.includes('/')) return checkString(reported, strategy, validateQualifiedName);
  return strategy === oldestEmulationVersion ? [] : [notSupported(reported, strategy, [oldestEmulationVersion])];
}
