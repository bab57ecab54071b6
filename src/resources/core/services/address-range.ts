import { formatIp, type IpAddress, parseIp } from '../../../meta/ip-address.ts';

/** An ordered range of addresses or ports, each with an index. */
export interface ItemRange {
  /** The range, for messages. */
  readonly text: string;
  readonly size: number;
  /**
   * The number of items at the beginning that are left to clients which request one by name. They
   * are allocated automatically only when all others are used.
   */
  readonly staticSize: number;
  at(index: number): string;
  has(item: string): boolean;
}

/** A range of cluster IPs. */
export interface AddressRange extends ItemRange {
  readonly family: 'IPv4' | 'IPv6';
}

/** The bounds of the static part of a range, and the divisor of the range's size. */
interface StaticBand {
  readonly least: number;
  readonly most: number;
  readonly share: number;
}

const addressBand: StaticBand = { least: 16, most: 256, share: 16 };
const portBand: StaticBand = { least: 16, most: 128, share: 32 };

/** The size of the static part of a range; 0 if the range is too small. */
function staticSizeOf(size: number, { least, most, share }: StaticBand): number {
  return size <= least ? 0 : Math.min(Math.max(least, Math.floor(size / share)), most);
}

/** Returns a range without a static part. */
export function withoutStaticPart<Range extends ItemRange>(range: Range): Range {
  return { ...range, staticSize: 0 };
}

/** The most addresses that are used of a range of the server's options. */
const optionLimit = 65_536n;
/**
 * The most addresses of a ServiceCIDR that are allocated automatically; clients may request any.
 */
const objectLimit = 2n ** 40n;

/**
 * Parses a CIDR: `10.0.0.0/24`. Undefined if it is invalid or has no usable address. The network
 * address and the broadcast address are not used. Without `isWhole` only the first 65,536 addresses
 * are used.
 */
export function parseAddressRange(text: string, isWhole = false): AddressRange | undefined {
  const sizeLimit = isWhole ? objectLimit : optionLimit;
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
    staticSize: staticSizeOf(Number(1n << hostBits), addressBand),
    at: (index) => formatIp({ family, value: first + BigInt(index) }),
    has: (item) => isBetween(parseIp(item), family, first, isWhole ? count : size),
  };
}

/**
 * Parses one CIDR, or two of different families separated by a comma. Undefined if it is invalid.
 */
export function parseAddressRanges(text: string): readonly [AddressRange, ...AddressRange[]] | undefined {
  const [first, second, ...more] = text.split(',').map((one) => parseAddressRange(one));
  if (!first || more.length > 0) return undefined;
  if (!text.includes(',')) return [first];
  return second && second.family !== first.family ? [first, second] : undefined;
}

/**
 * Joins ranges of a family into one. If ranges overlap, an address has an index in each of them.
 */
export function joinRanges(ranges: readonly AddressRange[]): AddressRange | undefined {
  const [first, ...others] = ranges;
  if (!first || others.length === 0) return first;
  // The static parts of all ranges come first.
  const parts = [
    ...ranges.map((range) => ({ size: range.staticSize, at: (index: number) => range.at(index) })),
    ...ranges.map((range) => ({
      size: range.size - range.staticSize,
      at: (index: number) => range.at(range.staticSize + index),
    })),
  ];
  return {
    text: ranges.map(({ text }) => text).join(','),
    family: first.family,
    size: ranges.reduce((sum, { size }) => sum + size, 0),
    staticSize: ranges.reduce((sum, { staticSize }) => sum + staticSize, 0),
    at(index) {
      let left = index;
      for (const part of parts) {
        if (left < part.size) return part.at(left);
        left -= part.size;
      }
      return first.at(0);
    },
    has: (item) => ranges.some((range) => range.has(item)),
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
    staticSize: staticSizeOf(last - first + 1, portBand),
    at: (index) => String(first + index),
    has: (item) => Number(item) >= first && Number(item) <= last,
  };
}
