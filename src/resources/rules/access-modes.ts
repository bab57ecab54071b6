import { type FieldError, forbidden, notSupported } from '../../status/field-error.ts';

/** Excludes other modes, as it excludes other pods. */
const exclusiveMode = 'ReadWriteOncePod';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', exclusiveMode];

/** The ways in which a volume may be mounted; each error is told of the list. */
export function checkAccessModes(field: string, given: readonly string[]): FieldError[] {
  return [
    ...given.filter((mode) => !modes.includes(mode)).map((mode) => notSupported(field, mode, modes)),
    ...(given.length > 1 && given.includes(exclusiveMode)
      ? [forbidden(field, `may not use ${exclusiveMode} with other access modes`)]
      : []),
  ];
}
