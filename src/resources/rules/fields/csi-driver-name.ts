import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

/** Maximum length of the name of a CSI driver, in characters. */
const driverNameLimit = 63;

/**
 * Checks the name of a CSI driver. Upper case is allowed for existing drivers. An empty name gives
 * two errors: Required, and an invalid DNS subdomain.
 */
export function checkCsiDriverName(field: string, name: string): FieldError[] {
  return [
    ...(name === '' ? [required(field)] : []),
    ...(name.length > driverNameLimit ? [tooLong(field, driverNameLimit)] : []),
    ...validateDnsSubdomain(name.toLowerCase()).map((message) => invalid(field, name, message)),
  ];
}
