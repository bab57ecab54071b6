import { isIPv4 } from 'node:net';

const mappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The part of an address that a client cannot change at will: the whole address for IPv4 (also if
 * mapped to IPv6), the first 64 bits for IPv6, because the rest is the choice of the host (RFC
 * 4291, 2.5.1).
 */
export function clientNetwork(address: string): string {
  const mapped = mappedPattern.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = after === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].slice(0, 4).join(':');
}
