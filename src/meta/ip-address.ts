import { isIP } from 'node:net';

/** An IP address as a number. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Parses an IPv4 or IPv6 address without zone; undefined for any other text. */
export function parseIp(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return { family, value: joined(text.split('.').map(Number), 8n) };
  return family === 6 && !text.includes('%') ? { family, value: joined(groupsOf(text), 16n) } : undefined;
}

/** Formats an address in canonical form: RFC 5952 for IPv6. */
export function formatIp({ family, value }: IpAddress): string {
  if (family === 4) return parts(value, 4, 8n).join('.');
  const groups = parts(value, 8, 16n).map((group) => group.toString(16));
  // The URL standard has the same canonical form as RFC 5952.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** The eight groups of an IPv6 address, including those replaced by `::`. */
function groupsOf(text: string): number[] {
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const [before, after] = [head, tail ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  const left = (before ?? []).map((group) => Number.parseInt(group, 16));
  const right = (after ?? []).map((group) => Number.parseInt(group, 16));
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function joined(numbers: readonly number[], bits: bigint): bigint {
  return numbers.reduce((value, number) => (value << bits) | BigInt(number), 0n);
}

function parts(value: bigint, count: number, bits: bigint): number[] {
  const mask = (1n << bits) - 1n;
  return Array.from({ length: count }, (_, index) => Number((value >> (BigInt(count - 1 - index) * bits)) & mask));
}
