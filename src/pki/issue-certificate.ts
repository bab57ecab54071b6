import { createPublicKey, type KeyObject, randomBytes, sign as signBytes, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  Certificate,
  Extension,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
  TimeType,
} from 'pkijs';
import { subjectAltNameOid } from './alt-names.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type ExtendedKeyUsage,
  extendedKeyUsage,
  type KeyUsage,
  keyUsage,
  subjectAltName,
  subjectKeyIdentifier,
} from './certificate-extensions.ts';
import { encodePem } from './pem.ts';
import { PkiError } from './pki-error.ts';

/** The content of a certificate. It is set by policy, never copied from a request unchecked. */
export interface CertificateProfile {
  readonly commonName: string;
  /** A user's groups, for a client certificate. */
  readonly organizations?: readonly string[];
  readonly publicKey: KeyObject;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** IP addresses and DNS names of a server. */
  readonly names?: readonly string[];
  /** Limited to the end of the CA's certificate. */
  readonly notAfter: Date;
}

/** Certificates are valid from this long before their issue, for peers whose clocks are slow. */
export const backdateMs = 5 * 60_000;

/** Issues a leaf certificate and returns its PEM. `now` is for tests. */
export async function issueCertificate(
  authority: CertificateAuthority,
  profile: CertificateProfile,
  now = new Date(),
): Promise<string> {
  const issuer = Certificate.fromBER(Uint8Array.from(new X509Certificate(authority.certificatePem).raw));
  const notAfter = new Date(Math.min(profile.notAfter.getTime(), issuer.notAfter.value.getTime()));
  return sign(authority.key, {
    subject: nameOf(profile.commonName, profile.organizations ?? []),
    issuer: issuer.subject,
    publicKey: profile.publicKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter,
    extensions: [
      keyUsage(profile.keyUsages),
      extendedKeyUsage(profile.extendedKeyUsages),
      basicConstraints(false),
      subjectKeyIdentifier(profile.publicKey),
      authorityKeyIdentifier(issuer, createPublicKey(authority.key)),
      ...(profile.names?.length ? [subjectAltName(profile.names)] : []),
    ],
  });
}

/** The content of a certificate for a request: the subject and the names are those requested. */
export interface RequestedProfile {
  /** DER. */
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** The DER of the requested SubjectAltName. */
  readonly altNames: Uint8Array | undefined;
  /** Limited to the end of the CA's certificate. */
  readonly notAfter: Date;
}

/** Issues a leaf certificate for a request that its caller has checked, and returns its PEM. */
export async function issueRequested(
  authority: CertificateAuthority,
  profile: RequestedProfile,
  now: Date,
): Promise<string> {
  const issuer = Certificate.fromBER(Uint8Array.from(new X509Certificate(authority.certificatePem).raw));
  const { keyUsages, extendedKeyUsages, altNames, publicKey } = profile;
  const subject = RelativeDistinguishedNames.fromBER(Uint8Array.from(profile.subject));
  return sign(authority.key, {
    subject,
    issuer: issuer.subject,
    publicKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter: new Date(Math.min(profile.notAfter.getTime(), issuer.notAfter.value.getTime())),
    extensions: [
      ...(keyUsages.length > 0 ? [keyUsage(keyUsages)] : []),
      ...(extendedKeyUsages.length > 0 ? [extendedKeyUsage(extendedKeyUsages)] : []),
      basicConstraints(false),
      subjectKeyIdentifier(publicKey),
      authorityKeyIdentifier(issuer, createPublicKey(authority.key)),
      ...(altNames ? [requestedAltName(altNames, subject.typesAndValues.length === 0)] : []),
    ],
  });
}

/** It is critical in a certificate without a subject (RFC 5280 section 4.2.1.6). */
function requestedAltName(der: Uint8Array, critical: boolean): Extension {
  return new Extension({ extnID: subjectAltNameOid, critical, extnValue: Uint8Array.from(der).buffer });
}

const servingLifetimeMs = 365 * 24 * 3600_000;

/** Issues a one-year certificate for a TLS server and returns its PEM. */
export function issueServingCertificate(
  authority: CertificateAuthority,
  key: KeyObject,
  names: readonly string[],
): Promise<string> {
  return issueCertificate(authority, {
    commonName: 'apiserver',
    publicKey: createPublicKey(key),
    keyUsages: ['digitalSignature', 'keyEncipherment'],
    extendedKeyUsages: ['serverAuth'],
    names: [...new Set(names)],
    notAfter: new Date(Date.now() + servingLifetimeMs),
  });
}

/** Creates a self-signed CA certificate for a key and returns its PEM. */
export function issueAuthorityCertificate(
  key: KeyObject,
  commonName: string,
  notAfter: Date,
  now = new Date(),
): Promise<string> {
  const publicKey = createPublicKey(key);
  const subject = nameOf(commonName, []);
  return sign(key, {
    subject,
    issuer: subject,
    publicKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter,
    extensions: [
      keyUsage(['digitalSignature', 'keyCertSign', 'cRLSign']),
      basicConstraints(true),
      subjectKeyIdentifier(publicKey),
    ],
  });
}

interface ToBeSigned {
  readonly subject: RelativeDistinguishedNames;
  readonly issuer: RelativeDistinguishedNames;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: Extension[];
}

async function sign(key: KeyObject, content: ToBeSigned): Promise<string> {
  if (content.notAfter <= content.notBefore) throw new PkiError('InvalidCertificate', 'certificate would have expired');
  const spki = Uint8Array.from(content.publicKey.export({ type: 'spki', format: 'der' }));
  const certificate = new Certificate({
    version: 2,
    serialNumber: serialNumber(),
    issuer: content.issuer,
    subject: content.subject,
    notBefore: timeOf(content.notBefore),
    notAfter: timeOf(content.notAfter),
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(spki),
    extensions: content.extensions,
  });
  const { hash, algorithm } = signatureOf(key);
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER());
  const signature = await promisify(signBytes)(hash, certificate.tbsView, key);
  certificate.signatureValue = new asn1js.BitString({ valueHex: Uint8Array.from(signature).buffer });
  return encodePem('CERTIFICATE', new Uint8Array(certificate.toSchema(true).toBER()));
}

/** A positive random serial number with 126 random bits (the CA/Browser Forum requires 64). */
function serialNumber(): asn1js.Integer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return new asn1js.Integer({ valueHex: Uint8Array.from(bytes).buffer });
}

/** Names are always UTF8String (RFC 5280 section 4.1.2.4). */
function nameOf(commonName: string, organizations: readonly string[]): RelativeDistinguishedNames {
  return new RelativeDistinguishedNames({
    typesAndValues: [
      ...organizations.map((organization) => attribute('2.5.4.10', organization)),
      ...(commonName ? [attribute('2.5.4.3', commonName)] : []),
    ],
  });
}

function attribute(type: string, value: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({ type, value: new asn1js.Utf8String({ value }) });
}

/** UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). */
function timeOf(value: Date): Time {
  const seconds = new Date(Math.floor(value.getTime() / 1000) * 1000);
  return new Time({
    type: seconds.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime,
    value: seconds,
  });
}

/**
 * How a key signs. The parameters of RSA are NULL (RFC 4055 section 5), which pkijs leaves out when
 * it signs; strict parsers of certificates insist on them.
 */
function signatureOf(key: KeyObject): { readonly hash: string; readonly algorithm: AlgorithmIdentifier } {
  if (key.asymmetricKeyType === 'rsa') {
    const rsa = new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams: new asn1js.Null() });
    return { hash: 'sha256', algorithm: rsa };
  }
  const [hash, algorithmId] =
    key.asymmetricKeyDetails?.namedCurve === 'secp384r1'
      ? ['sha384', '1.2.840.10045.4.3.3']
      : ['sha256', '1.2.840.10045.4.3.2'];
  return { hash, algorithm: new AlgorithmIdentifier({ algorithmId }) };
}
