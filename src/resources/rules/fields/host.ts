import { validateDnsSubdomain, validateWildcardDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkString } from './check.ts';
import { isIpAddress } from './ip.ts';

/** Checks a DNS name whose first label may be `*` (spec 2.3). */
export function checkHost(field: string, host: string): readonly FieldError[] {
  return checkString(field, host, host.includes('*') ? validateWildcardDnsSubdomain : validateDnsSubdomain);
}

/** Refuses an IP address where a DNS name is expected. */
export function checkHostNotIp(field: string, host: string): readonly FieldError[] {
  return isIpAddress(host) ? [invalid(field, host, 'must be a DNS name, not an IP address')] : [];
}
