import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Reports whether a connection to an IP address and port may be opened. */
export type AllowsAddress = (address: string, port: number) => boolean;

/** The exceptions and additions of an address policy. */
interface AddressPolicyOptions {
  /** Networks that may be connected to in any case: `127.0.0.0/8`, `::1/128`. */
  readonly allowedNetworks: readonly string[];
  /** Reports whether a port is one of this server's, on the addresses of this machine. */
  readonly isOwnPort: (port: number) => boolean;
}

/**
 * Networks that reach the machine of the server itself, services of its cloud (link-local), or no
 * single machine: those that are not global unicast, as in kube-apiserver.
 */
const refusedNetworks: readonly string[] = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff00::/8',
];

/**
 * Creates the policy for addresses that clients can choose, such as the IP in the status of a Pod:
 * loopback, link-local, multicast and unspecified addresses, and this server, are refused unless
 * their network is allowed. IPv4 addresses inside of IPv6 ones are judged as IPv4 addresses.
 */
export function addressPolicy({ allowedNetworks, isOwnPort }: AddressPolicyOptions): AllowsAddress {
  const allowed = blockListOf(allowedNetworks);
  const refused = blockListOf(refusedNetworks);
  return (address, port) => {
    const plain = plainAddress(address);
    if (plain === undefined) return false;
    const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6';
    if (allowed.check(plain, family)) return true;
    return !refused.check(plain, family) && !(isOwnPort(port) && isOwnAddress(plain));
  };
}

/** Returns why a text is no network; undefined for a network like `10.0.0.0/8`. */
export function networkError(text: string): string | undefined {
  return parseNetwork(text) ? undefined : 'use a network like 10.0.0.0/8 or fd00::/8';
}

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parseNetwork(text: string): Network | undefined {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined;
  return { address, bits: Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' };
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (!parsed) throw new RangeError(`${JSON.stringify(network)} is not a network`);
    list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  return list;
}

/** IPv6 prefixes that embed IPv4 addresses: mapped, compatible, and NAT64 (RFC 6052). */
const embedding = new BlockList();
embedding.addSubnet('::ffff:0:0', 96, 'ipv6');
embedding.addSubnet('64:ff9b::', 96, 'ipv6');

/**
 * Returns an address without the IPv6 form of an IPv4 address; undefined for a text that is no IP
 * address, and for one with a zone.
 */
function plainAddress(address: string): string | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  if (version === 4 || !embedding.check(address, 'ipv6')) return address;
  // The canonical form has the last 32 bits in two groups, as in [::ffff:7f00:1].
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isOwnAddress(address: string): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flat()) {
    if (one) own.addAddress(one.address, one.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own.check(address, family);
}
