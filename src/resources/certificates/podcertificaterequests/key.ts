import { type AsymmetricKeyDetails, constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PodCertificateRequestSpec } from '../../../gen/stored/certificates-v1beta1.ts';
import { parseCertificateRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { type FieldError, invalid, invalidUnshown, tooLong } from '../../../status/field-error.ts';

/** Maximum size in bytes of a key, a signature or a PKCS #10 request, checked before parsing. */
const keyLimit = 10 * 1024;

/** The parts of a request with its key, as bytes. */
interface KeyParts {
  readonly stubPKCS10Request: Buffer;
  readonly pkixPublicKey: Buffer;
  readonly proofOfPossession: Buffer;
}

const names = ['stubPKCS10Request', 'pkixPublicKey', 'proofOfPossession'] as const;

/**
 * The errors of the key of a request: it must be strong enough, and the requester must prove
 * possession by a signed PKCS #10 request or a signature over the pod's UID.
 */
export function keyErrors(spec: PodCertificateRequestSpec): readonly FieldError[] {
  const parts = partsOf(spec);
  const tooLarge = names.filter((name) => parts[name].length > keyLimit);
  if (tooLarge.length > 0) return tooLarge.map((name) => tooLong(`spec.${name}`, keyLimit));
  const hasStub = parts.stubPKCS10Request.length > 0;
  const hasKey = parts.pkixPublicKey.length > 0 && parts.proofOfPossession.length > 0;
  const hasPart = parts.pkixPublicKey.length + parts.proofOfPossession.length > 0;
  if (hasStub ? hasPart : !hasKey) {
    const choice = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
    return [invalidUnshown('spec', choice)];
  }
  return hasStub ? stubErrors(parts) : proofErrors(parts, spec.podUID);
}

/** The public key of an accepted request; undefined if there is none. */
export function requestedKey(spec: PodCertificateRequestSpec): KeyObject | undefined {
  const { stubPKCS10Request, pkixPublicKey } = partsOf(spec);
  return stubPKCS10Request.length > 0 ? stubKey(stubPKCS10Request) : readKey(pkixPublicKey);
}

function partsOf(spec: PodCertificateRequestSpec): KeyParts {
  const bytes = (name: (typeof names)[number]): Buffer => Buffer.from(spec[name] ?? '', 'base64');
  return {
    stubPKCS10Request: bytes('stubPKCS10Request'),
    pkixPublicKey: bytes('pkixPublicKey'),
    proofOfPossession: bytes('proofOfPossession'),
  };
}

function stubErrors({ stubPKCS10Request }: KeyParts): readonly FieldError[] {
  const field = 'spec.stubPKCS10Request';
  const key = stubKey(stubPKCS10Request);
  return key ? strengthErrors(field, key) : [invalidUnshown(field, 'must be a valid PKCS#10 CSR')];
}

function stubKey(der: Buffer): KeyObject | undefined {
  try {
    return parseCertificateRequest(der).publicKey;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

function proofErrors({ pkixPublicKey, proofOfPossession }: KeyParts, podUid: string): readonly FieldError[] {
  const field = 'spec.pkixPublicKey';
  const key = readKey(pkixPublicKey);
  if (!key) return [invalidUnshown(field, 'must be a valid PKIX-serialized public key')];
  const errors = strengthErrors(field, key);
  if (errors.length > 0 || isSigned(key, Buffer.from(podUid), proofOfPossession)) return errors;
  return [invalidUnshown('spec.proofOfPossession', 'could not verify proof-of-possession signature')];
}

function readKey(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, type: 'spki', format: 'der' });
  } catch {
    // OpenSSL throws for any malformed input; the error codes depend on its version.
    return undefined;
  }
}

const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const modulusLengths: ReadonlySet<number> = new Set([3072, 4096]);

/** The rule for each type of key. It returns the value in the error, and the message. */
const keyRules: Readonly<Record<string, (details: AsymmetricKeyDetails) => readonly [string, string] | undefined>> = {
  ed25519: () => undefined,
  ec: ({ namedCurve = '' }) =>
    curves.has(namedCurve) ? undefined : [`curve ${namedCurve}`, 'elliptic public keys must use curve P256 or P384'],
  rsa: ({ modulusLength = 0 }) =>
    modulusLengths.has(modulusLength)
      ? undefined
      : [`${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096'],
};

function strengthErrors(field: string, { asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): FieldError[] {
  const rule = keyRules[asymmetricKeyType ?? ''];
  if (!rule) return [invalidUnshown(field, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA')];
  const problem = rule(asymmetricKeyDetails);
  return problem ? [invalid(field, ...problem)] : [];
}

function isSigned(key: KeyObject, data: Buffer, signature: Buffer): boolean {
  const isRsa = key.asymmetricKeyType === 'rsa';
  const scheme = isRsa
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { key };
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, scheme, signature);
  } catch {
    return false;
  }
}
