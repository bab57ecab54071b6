import { formatIp, type IpAddress, parseIp } from '../../meta/ip-address.ts';
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
  if (text.includes('%')) return new Failure(`IP Address "${text}" with zone value is not allowed`);
  const address = parseIp(text);
  if (!address)
    return new Failure(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
    );
  const isMapped = address.family === 6 && address.value >> 32n === 0xffffn;
  return isMapped ? new Failure(`IPv4-mapped IPv6 address "${text}" is not allowed`) : address;
}

function readNetwork(text: string): Network | Failure {
  const [base = '', length = ''] = text.split('/');
  const wrong = new Failure(
    `network address parse error during conversion from string: netip.ParsePrefix("${text}"): unable to parse`,
  );
  if (!/^\S+\/(?:0|[1-9]\d{0,2})$/.test(text)) return wrong;
  const address = readIp(base);
  if (address instanceof Failure) return address;
  return Number(length) > bitsOf[address.family] ? wrong : { address, length: Number(length) };
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
