import { formatIp, type IpAddress, parseIp } from '../../../meta/ip-address.ts';

/** Items in an order, of which one can be picked by its number: addresses or ports. */
export interface ItemRange {
  /** As it was configured, for messages. */
  readonly text: string;
  readonly size: number;
  at(index: number): string;
  has(item: string): boolean;
}

/** A range of cluster IPs. */
export interface AddressRange extends ItemRange {
  readonly family: 'IPv4' | 'IPv6';
}

/** As many addresses of a larger range are used; enough for any number of Services. */
const sizeLimit = 65_536n;

/** Reads `10.0.0.0/24`; undefined where it is no network, or has no room. The network's own address and the broadcast address are not used. */
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

/** Reads `30000-32767`; undefined where it is no range of ports. */
export function parsePortRange(text: string): ItemRange | undefined {
  const match = /^([0-9]{1,5})-([0-9]{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first < 1 || last > 65_535 || last < first) return undefined;
  return {
    text,
    size: last - first + 1,
    at: (index) => String(first + index),
    has: (item) => Number(item) >= first && Number(item) <= last,
  };
}
