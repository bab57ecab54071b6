import { type KeyObject, verify, createPublicKey } from 'node:crypto';
import { readName, type Subject } from './distinguished-name.ts';
import { firstPemBlock } from './pem.ts';
import { PkiError } from './pki-error.ts';
import { contentOf, type DerElement, derTags, elementsOf, objectIdentifier, readDer } from './read-der.ts';

const curves: ReadonlySet<string> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Loads a SubjectPublicKeyInfo of RSA, of EC on the curves P-224 to P-521, or of Ed25519. OpenSSL
 * checks that the point is on the curve. Throws PkiError `KeyNotAllowed`.
 */
function loadPublicKey(subjectPublicKeyInfo: Uint8Array): KeyObject {
  const key = load(subjectPublicKeyInfo);
  const rule = rules[key.asymmetricKeyType ?? ''];
  const problem = rule ? rule(key) : `key type ${key.asymmetricKeyType ?? 'unknown'} is not supported`;
  if (problem) throw new PkiError('KeyNotAllowed', problem);
  return key;
}

function load(subjectPublicKeyInfo: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(subjectPublicKeyInfo), type: 'spki', format: 'der' });
  } catch (cause) {
    throw new PkiError('KeyNotAllowed', 'public key cannot be read', cause);
  }
}

const rules: Readonly<Record<string, (key: KeyObject) => string>> = {
  rsa(key) {
    // Anybody can sign if the exponent is 1.
    return (key.asymmetricKeyDetails?.publicExponent ?? 0n) < 2n ? 'RSA exponent is too small' : '';
  },
  ec(key) {
    const curve = key.asymmetricKeyDetails?.namedCurve ?? 'unknown';
    return curves.has(curve) ? '' : `EC curve ${curve} is not supported`;
  },
  ed25519: () => '',
};

/** A well-formed request that is signed with its own key. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** The DER of the whole subject. */
  readonly subjectDer: Uint8Array;
  readonly publicKey: KeyObject;
  /** The DER values of the requested extensions, by OID. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

/** Limit of a request in bytes, checked before parsing. Text around it does not count. */
const requestLimitBytes = 64 * 1024;

const requestLabel = 'CERTIFICATE REQUEST';
const extensionRequestOid = '1.2.840.113549.1.9.14';
/** The implicit tag [0] of the attributes. */
const attributesTag = 0xa0;

/**
 * Parses `spec.request` of a CertificateSigningRequest: base64 of a text whose first PEM block is a
 * PKCS#10 request. Text around it and later blocks are ignored, as `openssl req -text` writes them.
 * Approvers, signers and validation all read the request with this function. Synchronous, as
 * validation is; the work is bounded by the size limit. The key may be any that can be verified:
 * which ones are strong enough is the signer's decision. Throws PkiError: InvalidPem, InvalidDer,
 * InvalidCertificate (for its subject), InvalidRequest, BadSignature, KeyNotAllowed.
 */
export function parseEncodedRequest(base64: string | null): CertificateRequest {
  const block = firstPemBlock(Buffer.from(base64 ?? '', 'base64').toString('latin1'));
  if (block?.label !== requestLabel) {
    throw new PkiError('InvalidPem', `PEM block type must be ${requestLabel}`);
  }
  return parseCertificateRequest(block.der);
}

/** Parses the DER of a PKCS#10 request (RFC 2986). Throws as `parseEncodedRequest` does. */
export function parseCertificateRequest(der: Uint8Array): CertificateRequest {
  if (der.length > requestLimitBytes) {
    throw new PkiError('InvalidRequest', `certificate request is larger than ${requestLimitBytes} bytes`);
  }
  const [info, algorithm, signature] = elementsOf(readDer(der), derTags.sequence);
  const [, subject, key, ...rest] = elementsOf(info, derTags.sequence);
  if (!info || !subject || !key) throw new PkiError('InvalidRequest', 'not a PKCS#10 certificate request');
  const publicKey = loadPublicKey(key.bytes);
  checkSignature(publicKey, info.bytes, { algorithm, signature });
  return {
    subject: readName(subject),
    subjectDer: subject.bytes,
    publicKey,
    extensions: requestedExtensions(rest.find(({ tag }) => tag === attributesTag)?.children ?? []),
  };
}

/** How an algorithm signs; Ed25519 has no hash. */
interface SignatureScheme {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly hash: string | null;
}

/**
 * The signature algorithms by OID (RFC 8017, RFC 5758, RFC 8410). SHA-1 is enough to prove
 * possession of a key; a certificate is signed with another hash.
 */
const schemes: ReadonlyMap<string, SignatureScheme> = new Map([
  ['1.2.840.113549.1.1.5', { keyType: 'rsa', hash: 'sha1' }],
  ['1.2.840.113549.1.1.11', { keyType: 'rsa', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { keyType: 'rsa', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { keyType: 'rsa', hash: 'sha512' }],
  ['1.2.840.10045.4.1', { keyType: 'ec', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { keyType: 'ec', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { keyType: 'ec', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { keyType: 'ec', hash: 'sha512' }],
  ['1.3.101.112', { keyType: 'ed25519', hash: null }],
]);

/** The elements after the part that is signed. */
interface Signed {
  readonly algorithm: DerElement | undefined;
  readonly signature: DerElement | undefined;
}

function checkSignature(key: KeyObject, data: Uint8Array, { algorithm, signature }: Signed): void {
  const scheme = schemes.get(objectIdentifier(elementsOf(algorithm, derTags.sequence)[0]));
  if (scheme?.keyType !== key.asymmetricKeyType) {
    throw new PkiError('BadSignature', 'signature algorithm of the certificate request is not supported');
  }
  // The first octet is the number of unused bits (X.690 section 8.6).
  const bytes = contentOf(signature, derTags.bitString).subarray(1);
  if (!isSigned(scheme?.hash ?? null, data, key, bytes)) {
    throw new PkiError('BadSignature', 'certificate request is not signed by its key');
  }
}

/** OpenSSL throws for keys that it cannot verify with, such as RSA keys of more than 16384 bits. */
function isSigned(hash: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(hash, data, key, signature);
  } catch {
    return false;
  }
}

function requestedExtensions(attributes: readonly DerElement[]): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const attribute of attributes) {
    const [type, values] = elementsOf(attribute, derTags.sequence);
    if (objectIdentifier(type) !== extensionRequestOid) continue;
    for (const extension of elementsOf(values, derTags.set).flatMap((list) => elementsOf(list, derTags.sequence))) {
      const [oid, ...rest] = elementsOf(extension, derTags.sequence);
      const name = objectIdentifier(oid);
      if (found.has(name)) throw new PkiError('InvalidRequest', `extension ${name} is requested twice`);
      found.set(name, contentOf(rest.at(-1), derTags.octetString));
    }
  }
  return found;
}
