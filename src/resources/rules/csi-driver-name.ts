import { validateDnsSubdomain } from '../../meta/validate-name.ts';
import { type FieldError, required, tooLong } from '../../status/field-error.ts';
import { checkString } from './check.ts';

/** Longest name of a CSI driver. */
const driverNameLimit = 63;

/** The name by which a CSI driver answers; upper case is allowed for drivers of old. */
export function checkCsiDriverName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(name.length > driverNameLimit ? [tooLong(field, driverNameLimit)] : []),
    ...checkString(field, name.toLowerCase(), validateDnsSubdomain),
  ];
}
