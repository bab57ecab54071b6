import { createHash, type KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import * as asn1js from 'asn1js';
import {
  AltName,
  AuthorityKeyIdentifier,
  BasicConstraints,
  type Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
} from 'pkijs';
import { subjectAltNameOid } from './alt-names.ts';
import { PkiError } from './pki-error.ts';
import { isServerName } from './server-names.ts';

/** The bits of the KeyUsage extension (RFC 5280 section 4.2.1.3), by position. */
const keyUsageBits = Object.freeze({
  digitalSignature: 0,
  contentCommitment: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
});

/** A purpose of the key. */
export type KeyUsage = keyof typeof keyUsageBits;

const extendedKeyUsageOids = Object.freeze({
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  ipsecEndSystem: '1.3.6.1.5.5.7.3.5',
  ipsecTunnel: '1.3.6.1.5.5.7.3.6',
  ipsecUser: '1.3.6.1.5.5.7.3.7',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  microsoftSgc: '1.3.6.1.4.1.311.10.3.3',
  netscapeSgc: '2.16.840.1.113730.4.1',
  any: '2.5.29.37.0',
});

/** A purpose of the certificate. */
export type ExtendedKeyUsage = keyof typeof extendedKeyUsageOids;

/**
 * BasicConstraints, critical: `isAuthority` allows signing certificates. A CA created here signs
 * leaf certificates only.
 */
export function basicConstraints(isAuthority: boolean): Extension {
  const value = new BasicConstraints(isAuthority ? { cA: true, pathLenConstraint: 0 } : {});
  return new Extension({ extnID: '2.5.29.19', critical: true, extnValue: value.toSchema().toBER() });
}

/** KeyUsage, critical. */
export function keyUsage(usages: readonly KeyUsage[]): Extension {
  const bits = usages.map((usage): number => keyUsageBits[usage]);
  const last = Math.max(...bits);
  const octets = new Uint8Array((last >> 3) + 1);
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  const value = new asn1js.BitString({ valueHex: octets.buffer, unusedBits: 7 - (last & 7) });
  return new Extension({ extnID: '2.5.29.15', critical: true, extnValue: value.toBER() });
}

/** ExtendedKeyUsage. */
export function extendedKeyUsage(usages: readonly ExtendedKeyUsage[]): Extension {
  const value = new ExtKeyUsage({ keyPurposes: usages.map((usage) => extendedKeyUsageOids[usage]) });
  return new Extension({ extnID: '2.5.29.37', extnValue: value.toSchema().toBER() });
}

/** SubjectAltName from a mixed list of IP addresses and DNS names. */
export function subjectAltName(names: readonly string[]): Extension {
  const value = new AltName({ altNames: names.map(generalName) });
  return new Extension({ extnID: subjectAltNameOid, extnValue: value.toSchema().toBER() });
}

/** The OID of SubjectKeyIdentifier. */
export const subjectKeyIdentifierOid = '2.5.29.14';

/** SubjectKeyIdentifier. */
export function subjectKeyIdentifier(key: KeyObject): Extension {
  const value = new asn1js.OctetString({ valueHex: keyIdentifier(key) });
  return new Extension({ extnID: subjectKeyIdentifierOid, extnValue: value.toBER() });
}

function subjectKeyIdentifierOf({ extensions = [] }: Certificate): Uint8Array<ArrayBuffer> | undefined {
  const extension = extensions.find(({ extnID }) => extnID === subjectKeyIdentifierOid);
  if (!extension) return undefined;
  const { result } = asn1js.fromBER(Uint8Array.from(extension.extnValue.valueBlock.valueHexView));
  return result instanceof asn1js.OctetString ? Uint8Array.from(result.valueBlock.valueHexView) : undefined;
}

/** The OID of AuthorityKeyIdentifier. */
export const authorityKeyIdentifierOid = '2.5.29.35';

/**
 * AuthorityKeyIdentifier, by key only, so that it also matches a renewed CA certificate with the
 * same key. Taken from the CA's certificate if that has a SubjectKeyIdentifier, else computed from
 * the key.
 */
export function authorityKeyIdentifier(authority: Certificate, key: KeyObject): Extension {
  const identifier = subjectKeyIdentifierOf(authority) ?? keyIdentifier(key);
  const value = new AuthorityKeyIdentifier({ keyIdentifier: new asn1js.OctetString({ valueHex: identifier }) });
  return new Extension({ extnID: authorityKeyIdentifierOid, extnValue: value.toSchema().toBER() });
}

/**
 * The leftmost 160 bits of the SHA-256 of the SubjectPublicKeyInfo (RFC 7093 section 2, method
 * 4).
 */
function keyIdentifier(key: KeyObject): Uint8Array<ArrayBuffer> {
  const spki = key.export({ type: 'spki', format: 'der' });
  return Uint8Array.from(createHash('sha256').update(spki).digest().subarray(0, 20));
}

function generalName(name: string): GeneralName {
  if (isIPv4(name)) return new GeneralName({ type: 7, value: new asn1js.OctetString({ valueHex: ipv4Bytes(name) }) });
  if (isIPv6(name)) return new GeneralName({ type: 7, value: new asn1js.OctetString({ valueHex: ipv6Bytes(name) }) });
  if (!isServerName(name)) throw new PkiError('InvalidName', `"${name}" is neither an IP address nor a DNS name`);
  return new GeneralName({ type: 2, value: name });
}

function ipv4Bytes(address: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(address.split('.'), Number);
}

/** URL parsing gives the canonical form, with an IPv4 tail as hex; then `::` is expanded. */
function ipv6Bytes(address: string): Uint8Array<ArrayBuffer> {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );
}
