import { formatIp, type IpAddress, parseIp } from '../../../meta/ip-address.ts';

/** An ordered range of addresses or ports, each with an index. */
export interface ItemRange {
  /** The range, for messages. */
  readonly text: string;
  readonly size: number;
  at(index: number): string;
  has(item: string): boolean;
}

/** A range of cluster IPs. */
export interface AddressRange extends ItemRange {
  readonly family: 'IPv4' | 'IPv6';
}

/** Maximum number of addresses that are used of a range. */
const sizeLimit = 65_536n;

/**
 * Parses `10.0.0.0/24`. Undefined if it is not a network or has no usable address. The network
 * address and the broadcast address are not used.
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', bits = '', ...rest] = text.split('/');
  const parsed = parseIp(address);
  if (!parsed || rest.length > 0 || !/^(0|[1-9][0-9]{0,2})$/.test(bits)) return undefined;
  const { family } = parsed;
  const hostBits = (family === 4 ? 32n : 128n) - BigInt(bits);
  if (hostBits < 2n) return undefined;
  const first = ((parsed.value >> hostBits) << hostBits) + 1n;
  const count = (1n << hostBits) - (family === 4 ? 2n : 1n);
  const size = count < sizeLimit ? count : sizeLimit;
  return {
    text: `${formatIp({ family, value: first - 1n })}/${bits}`,
    family: family === 4 ? 'IPv4' : 'IPv6',
    size: Number(size),
    at: (index) => formatIp({ family, value: first + BigInt(index) }),
    has: (item) => isBetween(parseIp(item), family, first, size),
  };
}

function isBetween(address: IpAddress | undefined, family: 4 | 6, first: bigint, size: bigint): boolean {
  return address?.family === family && address.value >= first && address.value < first + size;
}

/**
 * Parses `30000-32767`, the same as `30000+2767`, or a single port. Undefined if it is not a range
 * of ports.
 */
export function parsePortRange(text: string): ItemRange | undefined {
  const match = /^([0-9]{1,5})(?:([-+])([0-9]{1,5}))?$/.exec(text.trim());
  const [, start, sign = '-', end = start] = match ?? [];
  const first = Number(start);
  const last = sign === '+' ? first + Number(end) : Number(end);
  if (!match || first < 1 || last > 65_535 || last < first) return undefined;
  return {
    text: `${first}-${last}`,
    size: last - first + 1,
    at: (index) => String(first + index),
    has: (item) => Number(item) >= first && Number(item) <= last,
  };
}
