import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

/** Longest name of a CSI driver. */
const driverNameLimit = 63;

/** The name by which a CSI driver answers; upper case is allowed for drivers of old. An empty one breaks two rules. */
export function checkCsiDriverName(field: string, name: string): FieldError[] {
  return [
    ...(name === '' ? [required(field)] : []),
    ...(name.length > driverNameLimit ? [tooLong(field, driverNameLimit)] : []),
    ...validateDnsSubdomain(name.toLowerCase()).map((message) => invalid(field, name, message)),
  ];
}
