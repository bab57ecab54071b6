import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/**
 * Reports whether a host is reachable from this machine only: a loopback address (IPv6 may be in
 * brackets) or `localhost`.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replaceAll(/[[\]]/g, '');
  const family = isIP(bare);
  if (family === 0) return bare === 'localhost';
  return loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** Reports whether an endpoint, a URL or `host:port`, is on this machine. */
export function isLoopbackEndpoint(endpoint: string): boolean {
  const url = endpoint.includes('://') ? endpoint : `http://${endpoint}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
