import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { validateDnsSubdomain, validateWildcardDnsSubdomain } from '../../../meta/validate-name.ts';
import { checkString } from './field-checks.ts';
import { isIpAddress } from './ip.ts';

const lowestPort = 1;
const highestPort = 65_535;
const rule = `must be between ${lowestPort} and ${highestPort}, inclusive`;

/** Checks that a number is a port number. */
export function checkPortNumber(field: string, port: number): readonly FieldError[] {
  return isPort(port) ? noErrors : [invalid(field, port, rule)];
}

/** Checks the port of a service that this server is a client of. */
export function checkServicePort(field: string, port: number): readonly FieldError[] {
  return isPort(port) ? noErrors : [invalid(field, port, `port is not valid: ${rule}`)];
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= lowestPort && port <= highestPort;
}

/** Checks a DNS name whose first label may be `*` (spec 2.3). */
export function checkHost(field: string, host: string): readonly FieldError[] {
  return checkString(field, host, host.includes('*') ? validateWildcardDnsSubdomain : validateDnsSubdomain);
}

/** Refuses an IP address where a DNS name is expected. */
export function checkHostNotIp(field: string, host: string): readonly FieldError[] {
  return isIpAddress(host) ? [invalid(field, host, 'must be a DNS name, not an IP address')] : [];
}
