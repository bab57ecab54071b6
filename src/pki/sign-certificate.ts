import { type KeyObject, randomBytes, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  type Extension,
  PublicKeyInfo,
  type RelativeDistinguishedNames,
  Time,
  TimeType,
} from 'pkijs';
import { encodePem } from './pem.ts';
import { PkiError } from './pki-error.ts';

/** The content of a certificate before its signature. */
interface UnsignedCertificate {
  readonly subject: RelativeDistinguishedNames;
  readonly issuer: RelativeDistinguishedNames;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: Extension[];
}

/** Signs a certificate and returns its PEM. Throws PkiError for one that has expired. */
export async function signCertificate(key: KeyObject, content: UnsignedCertificate): Promise<string> {
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

/** UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). */
function timeOf(value: Date): Time {
  const seconds = new Date(Math.floor(value.getTime() / 1000) * 1000);
  return new Time({
    type: seconds.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime,
    value: seconds,
  });
}

/** The hashes and the algorithms with which keys sign; ECDSA by its curve. */
const signatures: Readonly<Record<string, readonly [hash: string | null, algorithmId: string]>> = {
  rsa: ['sha256', '1.2.840.113549.1.1.11'],
  ed25519: [null, '1.3.101.112'],
  secp384r1: ['sha384', '1.2.840.10045.4.3.3'],
  secp521r1: ['sha512', '1.2.840.10045.4.3.4'],
};

const usualSignature = ['sha256', '1.2.840.10045.4.3.2'] as const;

/**
 * How a key signs. The parameters of RSA are NULL (RFC 4055 section 5), which pkijs leaves out when
 * it signs; strict parsers of certificates insist on them.
 */
function signatureOf(key: KeyObject): { readonly hash: string | null; readonly algorithm: AlgorithmIdentifier } {
  const type = key.asymmetricKeyType ?? '';
  const [hash, algorithmId] = signatures[key.asymmetricKeyDetails?.namedCurve ?? type] ?? usualSignature;
  const params = type === 'rsa' ? { algorithmParams: new asn1js.Null() } : {};
  return { hash, algorithm: new AlgorithmIdentifier({ algorithmId, ...params }) };
}
