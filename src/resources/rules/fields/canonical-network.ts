import { formatIp, type IpAddress, parseIp } from '../../../meta/ip-address.ts';

/** Validates an IP address in canonical form: decimals without leading zeros, or RFC 5952. */
export function validateCanonicalIp(text: string): readonly string[] {
  const address = parseIp(text) ?? parseIp(withoutZeros(text));
  if (!address) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!parseIp(text)) return ['must not have leading 0s'];
  if (isMapped(address)) return ['must not be an IPv4-mapped IPv6 address'];
  return canonicalMessages(text, formatIp(address));
}

/** Validates a CIDR in canonical form: `10.9.8.0/24`, without host bits. */
export function validateCanonicalCidr(text: string): readonly string[] {
  const [given = '', bits = '', ...rest] = text.split('/');
  const address = parseIp(given) ?? parseIp(withoutZeros(given));
  const width = address?.family === 4 ? 32 : 128;
  if (!address || rest.length > 0 || !/^[0-9]{1,3}$/.test(bits) || Number(bits) > width) {
    return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  }
  if (!parseIp(given) || /^0[0-9]/.test(bits)) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(address)) return ['must not have an IPv4-mapped IPv6 address'];
  const hostBits = BigInt(width - Number(bits));
  if ((address.value >> hostBits) << hostBits !== address.value) {
    return ['must not have bits set beyond the prefix length'];
  }
  return canonicalMessages(text, `${formatIp(address)}/${bits}`);
}

/** An IPv4 address without leading zeros, which older rules accept. */
function withoutZeros(text: string): string {
  return /^[0-9]{1,15}(?:\.[0-9]{1,15}){3}$/.test(text) ? text.replaceAll(/(^|\.)0+(?=[0-9])/g, '$1') : '';
}

const mappedPrefix = 0xffffn;

function isMapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === mappedPrefix;
}

function canonicalMessages(text: string, canonical: string): readonly string[] {
  return text === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}
