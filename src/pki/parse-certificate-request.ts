import { type KeyObject, verify } from 'node:crypto';
import { type Attribute, CertificationRequest, Extensions } from 'pkijs';
import { checkKey, loadPublicKey } from './check-key.ts';
import { children, readName, type Subject } from './distinguished-name.ts';
import { parseDer } from './parse-der.ts';
import { decodePem } from './pem.ts';
import { PkiError } from './pki-error.ts';

/** A well-formed request that is signed with its own, allowed key. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** The DER of the whole subject. */
  readonly subjectDer: Uint8Array;
  readonly publicKey: KeyObject;
  /** The DER values of the requested extensions, by OID. */
  readonly extensions: ReadonlyMap<string, Buffer>;
}

/** Limit of a request in bytes, checked before parsing. */
const requestLimitBytes = 64 * 1024;

const extensionRequestOid = '1.2.840.113549.1.9.14';

/**
 * Parses a PKCS#10 request (RFC 2986), from DER or from PEM with exactly one block `CERTIFICATE
 * REQUEST` and only white space around it. Synchronous, as validation is; the work is bounded by
 * the size limit. Throws PkiError: InvalidPem, InvalidDer, InvalidRequest, BadSignature,
 * KeyNotAllowed.
 */
export function parseCertificateRequest(request: string | Uint8Array): CertificateRequest {
  if (request.length > requestLimitBytes) {
    throw new PkiError('InvalidRequest', `certificate request is larger than ${requestLimitBytes} bytes`);
  }
  const der = typeof request === 'string' ? soleBlock(request) : request;
  const value = parseDer(der);
  const parsed = parse(der);
  const publicKey = loadPublicKey(new Uint8Array(parsed.subjectPublicKeyInfo.toSchema().toBER()));
  checkKey(publicKey);
  checkSignature(parsed, publicKey);
  const subjectDer = new Uint8Array(parsed.subject.toSchema().toBER());
  return {
    subject: readSubject(value),
    subjectDer,
    publicKey,
    extensions: requestedExtensions(parsed.attributes ?? []),
  };
}

/** The subject is the second field of CertificationRequestInfo (RFC 2986 section 4.1). */
function readSubject(request: unknown): Subject {
  const [info] = children(request);
  return readName(children(info)[1]);
}

function soleBlock(pem: string): Buffer {
  const [block, ...others] = decodePem(pem);
  if (block?.label !== 'CERTIFICATE REQUEST') {
    throw new PkiError('InvalidPem', 'PEM block type must be CERTIFICATE REQUEST');
  }
  const surrounded = !/^\s*-----BEGIN /.test(pem) || !/-----\s*$/.test(pem);
  if (others.length > 0 || surrounded) {
    throw new PkiError('InvalidPem', 'PEM block must be the only one, without text before or after it');
  }
  return block.der;
}

function parse(der: Uint8Array): CertificationRequest {
  try {
    return CertificationRequest.fromBER(Uint8Array.from(der));
  } catch (cause) {
    throw new PkiError('InvalidRequest', 'not a PKCS#10 certificate request', cause);
  }
}

/** The hash of each signature algorithm, by OID (RFC 8017, RFC 5758); SHA-1 is not supported. */
const hashes: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
]);

function checkSignature(request: CertificationRequest, key: KeyObject): void {
  const hash = hashes.get(request.signatureAlgorithm.algorithmId);
  if (!hash) throw new PkiError('BadSignature', 'signature algorithm of the certificate request is not supported');
  if (!verify(hash, request.tbsView, key, request.signatureValue.valueBlock.valueHexView)) {
    throw new PkiError('BadSignature', 'certificate request is not signed by its key');
  }
}

function requestedExtensions(attributes: readonly Attribute[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const attribute of attributes.filter(({ type }) => type === extensionRequestOid)) {
    for (const value of attribute.values) {
      for (const extension of readExtensions(value)) {
        if (found.has(extension.extnID)) {
          throw new PkiError('InvalidRequest', `extension ${extension.extnID} is requested twice`);
        }
        found.set(extension.extnID, Buffer.from(extension.extnValue.valueBlock.valueHexView));
      }
    }
  }
  return found;
}

function readExtensions(value: unknown): Extensions['extensions'] {
  try {
    return new Extensions({ schema: value }).extensions;
  } catch (cause) {
    throw new PkiError('InvalidRequest', 'requested extensions are malformed', cause);
  }
}
