import { isIP } from 'node:net';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Whether a text is an IPv4 or IPv6 address, without a zone. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** A field that must be an IP address. */
export function checkIp(field: string, value: string): FieldError[] {
  return isIpAddress(value) ? [] : [invalid(field, value, 'must be a valid IP address')];
}

/** A field that must be a network in CIDR form. */
export function checkCidr(field: string, value: string): FieldError[] {
  return isCidr(value) ? [] : [invalid(field, value, 'must be a valid CIDR, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !isIpAddress(address) || !/^(0|[1-9][0-9]{0,2})$/.test(bits)) return false;
  return Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}
