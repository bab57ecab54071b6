import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { type FieldError, forbidden, notSupported } from '../../../status/field-error.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const oncePod = 'ReadWriteOncePod';

/**
 * Checks the access modes of a volume: known modes, and ReadWriteOncePod only alone. Errors are at
 * the list, not at the item.
 */
export function checkAccessModes(
  field: string,
  given: readonly string[],
  emulated: EmulatedRelease,
  old: readonly string[] = [],
): FieldError[] {
  const known = hasOncePod(emulated) || old.includes(oncePod) ? [...modes, oncePod] : modes;
  const errors = given.filter((mode) => !known.includes(mode)).map((mode) => notSupported(field, mode, known));
  const isMixed = given.includes(oncePod) && given.some((mode) => mode !== oncePod && mode !== '');
  if (isMixed && known.includes(oncePod))
    errors.push(forbidden(field, `may not use ${oncePod} with other access modes`));
  return errors;
}

/** True if ReadWriteOncePod is supported. */
function hasOncePod({ release, isFeatureEnabled }: EmulatedRelease): boolean {
  return isSince(release, '1.29') || isFeatureEnabled('ReadWriteOncePod');
}
