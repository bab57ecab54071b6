import { formatIp, type IpAddress } from '../../meta/ip-address.ts';
import { parseAddress } from '../../meta/parse-address.ts';
import { type CelValue, Failure, Opaque } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** An address with the number of its leading bits that identify a network. */
interface Network {
  readonly address: IpAddress;
  readonly length: number;
}

const bitsOf = { 4: 32, 6: 128 };

/** An address; addresses of IPv4 inside IPv6 are refused, as in kube-apiserver. */
function readIp(text: string): IpAddress | Failure {
  const address = parseAddress(text);
  const shown = JSON.stringify(text);
  if ('problem' in address)
    return new Failure(`IP Address ${shown} parse error during conversion from string: ${address.problem}`);
  if (address.zone !== '') return new Failure(`IP address ${shown} with zone value is not allowed`);
  return isMapped(address) ? new Failure(`IPv4-mapped IPv6 address ${shown} is not allowed`) : address;
}

function isMapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

function readNetwork(text: string): Network | Failure {
  const why = 'network address parse error during conversion from string';
  const wrong = (problem: string): Failure => new Failure(`${why}: ${why}: ${problem}`);
  const prefixProblem = (problem: string): Failure => wrong(`netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return prefixProblem("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('problem' in address) return prefixProblem(address.problem);
  if (address.zone !== '') return prefixProblem('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{0,17})$/.test(bits)) return prefixProblem(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > bitsOf[address.family]) return prefixProblem('prefix length out of range');
  if (isMapped(address)) return new Failure(`${why}: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return { address, length: Number(bits) };
}

function ipValue(address: IpAddress): Opaque {
  return new Opaque('net.IP', formatIp(address), address);
}

function networkValue(network: Network): Opaque {
  return new Opaque('net.CIDR', `${formatIp(network.address)}/${network.length}`, network);
}

function ip(text: string): CelValue {
  const address = readIp(text);
  return address instanceof Failure ? address : ipValue(address);
}

function cidr(text: string): CelValue {
  const network = readNetwork(text);
  return network instanceof Failure ? network : networkValue(network);
}

function addressOf(value: Opaque): IpAddress {
  return value.content as IpAddress;
}

function networkOf(value: Opaque): Network {
  return value.content as Network;
}

/** The bits of an address that identify its network. */
function prefix({ family, value }: IpAddress, length: number): bigint {
  return value >> BigInt(bitsOf[family] - length);
}

function containsIp({ address, length }: Network, other: IpAddress): boolean {
  return address.family === other.family && prefix(address, length) === prefix(other, length);
}

function containsNetwork(network: Network, other: Network): boolean {
  return other.length >= network.length && containsIp(network, other.address);
}

function masked({ address, length }: Network): Network {
  const rest = BigInt(bitsOf[address.family] - length);
  return { address: { family: address.family, value: (address.value >> rest) << rest }, length };
}

/** Ranges of addresses, by family: those whose first bits are these. */
const ranges = {
  unspecified: { 4: '0.0.0.0/32', 6: '::/128' },
  loopback: { 4: '127.0.0.0/8', 6: '::1/128' },
  linkLocalMulticast: { 4: '224.0.0.0/24', 6: 'ff02::/16' },
  linkLocalUnicast: { 4: '169.254.0.0/16', 6: 'fe80::/10' },
  multicast: { 4: '224.0.0.0/4', 6: 'ff00::/8' },
  broadcast: { 4: '255.255.255.255/32', 6: '::/128' },
} as const;

function isIn(range: keyof typeof ranges): (value: Opaque) => boolean {
  return (value) => {
    const address = addressOf(value);
    const network = readNetwork(ranges[range][address.family]);
    return !(network instanceof Failure) && containsIp(network, address);
  };
}

function isGlobalUnicast(value: Opaque): boolean {
  return !(['unspecified', 'loopback', 'multicast', 'linkLocalUnicast', 'broadcast'] as const).some((range) =>
    isIn(range)(value),
  );
}

/** Parses a text and passes its value to a function; a failure is the result. */
function over<T>(read: (text: string) => T | Failure, work: (value: T) => CelValue): (text: string) => CelValue {
  return (text) => {
    const value = read(text);
    return value instanceof Failure ? value : work(value);
  };
}

/** Addresses and networks. */
export const networks: Library = {
  functions: [
    ['ip(string): IP', ip],
    ['isIP(string): bool', (text: string) => !(readIp(text) instanceof Failure)],
    ['ip.isCanonical(string): bool', (text: string) => over(readIp, (address) => formatIp(address) === text)(text)],
    ['cidr(string): CIDR', cidr],
    ['isCIDR(string): bool', (text: string) => !(readNetwork(text) instanceof Failure)],
    ['string(IP): string', ({ identity }: Opaque) => identity],
    ['string(CIDR): string', ({ identity }: Opaque) => identity],
  ],
  methods: [
    ['family(IP): int', (value: Opaque) => BigInt(addressOf(value).family)],
    ['isUnspecified(IP): bool', isIn('unspecified')],
    ['isLoopback(IP): bool', isIn('loopback')],
    ['isLinkLocalMulticast(IP): bool', isIn('linkLocalMulticast')],
    ['isLinkLocalUnicast(IP): bool', isIn('linkLocalUnicast')],
    ['isGlobalUnicast(IP): bool', isGlobalUnicast],
    [
      'containsIP(CIDR, IP): bool',
      (network: Opaque, other: Opaque) => containsIp(networkOf(network), addressOf(other)),
    ],
    [
      'containsIP(CIDR, string): bool',
      (network: Opaque, text: string) => over(readIp, (other) => containsIp(networkOf(network), other))(text),
    ],
    [
      'containsCIDR(CIDR, CIDR): bool',
      (network: Opaque, other: Opaque) => containsNetwork(networkOf(network), networkOf(other)),
    ],
    [
      'containsCIDR(CIDR, string): bool',
      (network: Opaque, text: string) => over(readNetwork, (other) => containsNetwork(networkOf(network), other))(text),
    ],
    ['ip(CIDR): IP', (value: Opaque) => ipValue(networkOf(value).address)],
    ['masked(CIDR): CIDR', (value: Opaque) => networkValue(masked(networkOf(value)))],
    ['prefixLength(CIDR): int', (value: Opaque) => BigInt(networkOf(value).length)],
  ],
};
