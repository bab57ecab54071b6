import { formatIp, type IpAddress, parseIp } from '../../meta/ip-address.ts';
import { type WarningRelease, warnsSince } from './warning-context.ts';

/** The warnings about an IP address that is valid, but not canonical as later releases require. */
export function ipWarnings(path: string, text: string, emulated: WarningRelease): readonly string[] {
  const read = readSloppy(text);
  if (!read) return [];
  const { address, isMapped, hasZeros } = read;
  const canonical = formatIp(address);
  const shown = isMapped ? mappedIpv4(address) : canonical;
  if (warnsSince(emulated, '1.33')) {
    if (hasZeros || isMapped) {
      return [`${path}: non-standard IP address ${quoted(text)} is invalid: use ${quoted(shown)}`];
    }
    if (address.family === 4 || canonical === text) return [];
    return [`${path}: IPv6 address ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`];
  }
  if (hasZeros) {
    const problem = `ParseAddr(${quoted(text)}): IPv4 field has octet with leading zero`;
    return [`${path}: IP address was accepted, but will be invalid in a future Kubernetes release: ${problem}`];
  }
  const printed = isMapped ? `::ffff:${shown}` : canonical;
  if (address.family === 4 || printed === text) return [];
  const advice = `is not in RFC 5952 canonical format (${quoted(printed)}), which may cause controller apply-loops`;
  return [`${path}: IPv6 address ${quoted(text)} ${advice}`];
}

/**
 * The warnings about a CIDR (`10.0.0.0/8`) that is valid, but not canonical as later releases
 * require.
 */
export function cidrWarnings(path: string, text: string, emulated: WarningRelease): readonly string[] {
  const [base = '', bits = ''] = text.split('/');
  const read = readSloppy(base);
  if (!read || bits === '') return [];
  const { address, isMapped, hasZeros } = read;
  const length = Number(bits);
  if (!warnsSince(emulated, '1.33')) return earlierCidrWarnings(path, text, read, length);
  const network = { ...address, value: address.value & maskOf(address.family, length) };
  const shown = `${formatIp(network)}/${length}`;
  const single = `${formatIp(address)}/${address.family === 4 ? 32 : 128}`;
  const warnings = [
    ...(network.value === address.value
      ? []
      : [
          `${path}: CIDR value ${quoted(text)} is ambiguous in this context (should be ${quoted(shown)} or ${quoted(single)}?)`,
        ]),
    ...(hasZeros || isMapped
      ? [`${path}: non-standard CIDR value ${quoted(text)} is invalid: use ${quoted(shown)}`]
      : []),
  ];
  if (warnings.length > 0 || address.family === 4 || `${formatIp(address)}/${length}` === text) return warnings;
  return [`${path}: IPv6 CIDR value ${quoted(text)} should be in RFC 5952 canonical format (${quoted(shown)})`];
}

function earlierCidrWarnings(
  path: string,
  text: string,
  { address, hasZeros }: ReadAddress,
  length: number,
): readonly string[] {
  if (hasZeros) {
    const [base = ''] = text.split('/');
    const problem = `netip.ParsePrefix(${quoted(text)}): ParseAddr(${quoted(base)}): IPv4 field has octet with leading zero`;
    return [`${path}: IP prefix was accepted, but will be invalid in a future Kubernetes release: ${problem}`];
  }
  const canonical = `${formatIp(address)}/${length}`;
  if (address.family === 4 || canonical === text) return [];
  const advice = `is not in RFC 5952 canonical format (${quoted(canonical)}), which may cause controller apply-loops`;
  return [`${path}: IPv6 prefix ${quoted(text)} ${advice}`];
}

interface ReadAddress {
  readonly address: IpAddress;
  /** True for an IPv4-mapped IPv6 address: `::ffff:1.2.3.4`. */
  readonly isMapped: boolean;
  /** True if an octet has a leading zero: `010.0.0.1`. */
  readonly hasZeros: boolean;
}

function readSloppy(text: string): ReadAddress | undefined {
  const plain = text.replaceAll(/(^|[.:])0+(?=\d+(\.|$))/g, '$1');
  const strict = parseIp(text);
  const address = strict ?? parseIp(plain);
  if (!address) return undefined;
  const isMapped = address.family === 6 && address.value >> 32n === 0xffffn;
  return { address, isMapped, hasZeros: strict === undefined };
}

function mappedIpv4({ value }: IpAddress): string {
  return formatIp({ family: 4, value: value & 0xffffffffn });
}

function maskOf(family: 4 | 6, length: number): bigint {
  const bits = family === 4 ? 32n : 128n;
  return ((1n << BigInt(length)) - 1n) << (bits - BigInt(length));
}

const quoted = (text: string): string => JSON.stringify(text);
