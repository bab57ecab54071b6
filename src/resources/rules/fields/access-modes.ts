import { type FieldError, notSupported } from '../../../status/field-error.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];

/** The ways in which a volume may be mounted; each error is told of the list. */
export function checkAccessModes(field: string, given: readonly string[]): FieldError[] {
  return given.filter((mode) => !modes.includes(mode)).map((mode) => notSupported(field, mode, modes));
}
