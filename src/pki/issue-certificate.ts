import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import { AttributeTypeAndValue, Certificate, Extension, RelativeDistinguishedNames } from 'pkijs';
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
import { signCertificate } from './sign-certificate.ts';

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
  return signCertificate(authority.key, {
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
  return signCertificate(authority.key, {
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

/** The subject alternative name; critical if there is no subject (RFC 5280 section 4.2.1.6). */
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
  return signCertificate(key, {
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
