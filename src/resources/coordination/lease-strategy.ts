import { validateQualifiedName } from '../../meta/validate-name.ts';
import { type FieldError, notSupported } from '../../status/field-error.ts';
import { checkString } from '../rules/fields/field-checks.ts';

/** The strategy that elects the candidate with the oldest emulation version. */
export const oldestEmulationVersion = 'OldestEmulationVersion';

/**
 * Checks the election strategy: one of the system, or a name with a domain. As in kube-apiserver
 * the errors are at a field below the given one.
 */
export function checkStrategy(field: string, strategy: string): readonly FieldError[] {
  const reported = `${field}.strategy`;
  if (strategy.includes('/')) return checkString(reported, strategy, validateQualifiedName);
  return strategy === oldestEmulationVersion ? [] : [notSupported(reported, strategy, [oldestEmulationVersion])];
}
