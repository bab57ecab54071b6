import { type FieldError, notSupported } from '../../../status/field-error.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];

/** Refuses unknown access modes of a volume. Errors are reported at the list, not at the item. */
export function checkAccessModes(field: string, given: readonly string[]): FieldError[] {
  return given.filter((mode) => !modes.includes(mode)).map((mode) => notSupported(field, mode, modes));
}
