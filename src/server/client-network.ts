import { isIPv4 } from 'node:net';

const mappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The part of an address that one client cannot change at will: the address itself for IPv4, also where IPv6 carries it, and the
 * first 64 bits for IPv6, because a host has all addresses behind them (RFC 4291, 2.5.1).
 */
export function clientNetwork(address: string): string {
  const mapped = mappedPattern.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = after === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].slice(0, 4).join(':');
}
