import { BlockList, isIP } from 'node:net';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/** True if a text is an IPv4 or IPv6 address without a zone. */
export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** Checks that a field is an IP address. */
export function checkIp(field: string, value: string): FieldError[] {
  return isIpAddress(value) ? [] : [invalid(field, value, 'must be a valid IP address')];
}

/** As `checkIp`, with the longer message of Endpoints, Services and Pods. */
export function checkIpAddress(field: string, value: string): readonly FieldError[] {
  return isIpAddress(value)
    ? noErrors
    : [invalid(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Special networks, whose addresses `checkPlainIp` refuses, and the message of each. */
const specialNetworks: readonly (readonly [networks: readonly [string, number][], text: string])[] = [
  [
    [
      ['0.0.0.0', 32],
      ['::', 128],
    ],
    'may not be unspecified (0.0.0.0 or ::)',
  ],
  [
    [
      ['127.0.0.0', 8],
      ['::1', 128],
    ],
    'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    [
      ['169.254.0.0', 16],
      ['fe80::', 10],
    ],
    'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    [
      ['224.0.0.0', 24],
      ['ff02::', 16],
    ],
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
];

const specialRules = specialNetworks.map(([networks, text]) => ({ list: blockListOf(networks), text }));

/**
 * All special networks in one list. A look-up takes 2 µs and lists of addresses can be long, so the
 * single networks are searched only if this list has the address.
 */
const anySpecial = blockListOf(specialNetworks.flatMap(([networks]) => networks));

/**
 * The first characters of addresses that may be in a special network. Nearly all addresses begin
 * otherwise and need no look-up. An IPv6 address that begins with zeros may embed an IPv4 address.
 */
const mayBeSpecial = /^(?:0|:|127\.|169\.|224\.|fe[89ab]|ff02)/i;

function blockListOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/** Checks that a field is an IP address outside the special networks. */
export function checkPlainIp(field: string, value: string): readonly FieldError[] {
  const errors = checkIpAddress(field, value);
  return errors.length > 0 ? errors : checkNotSpecial(field, value);
}

/** The second half of `checkPlainIp`, for callers that have checked the format. */
export function checkNotSpecial(field: string, value: string): readonly FieldError[] {
  if (!isIpAddress(value)) return [invalid(field, value, 'must be a valid IP address')];
  if (!mayBeSpecial.test(value)) return noErrors;
  const family = isIP(value) === 6 ? 'ipv6' : 'ipv4';
  if (!anySpecial.check(value, family)) return noErrors;
  return specialRules.filter(({ list }) => list.check(value, family)).map(({ text }) => invalid(field, value, text));
}

/** True if the network `inner` is a proper subset of the network `outer`, both in CIDR notation. */
export function isStrictSubnet(inner: string, outer: string): boolean {
  const [address = '', bits = ''] = inner.split('/');
  const [network = '', outerBits = ''] = outer.split('/');
  const [family, outerFamily] = [isIP(address), isIP(network)];
  if (family !== outerFamily || Number(bits) <= Number(outerBits)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(outerBits), family === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** True if a text is a network in CIDR notation. */
export function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !isIpAddress(address) || !/^(0|[1-9][0-9]{0,2})$/.test(bits)) return false;
  return Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}

/** True if a text is an interface address, an IP with a prefix length: `192.0.2.1/24`. */
export function isInterfaceAddress(text: string): boolean {
  return isCidr(text);
}
