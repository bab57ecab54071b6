import { verify } from 'node:crypto';
import { CertificationRequest } from 'pkijs';
import { checkDer } from '../../../pki/check-der.ts';
import { checkKey, loadPublicKey } from '../../../pki/check-key.ts';
import { decodePem } from '../../../pki/pem.ts';
import { PkiError } from '../../../pki/pki-error.ts';

/**
 * What is wrong with `spec.request`, '' where nothing is: it must be one PEM block with a PKCS#10 request (RFC 2986)
 * that is signed by its own key, and a key that a signer may certify. The work is bounded by the size that `pem` may
 * have, and synchronous, as validation is.
 */
export function requestFault(pem: string): string {
  if (pem.length > requestLimit) return `request is larger than ${requestLimit} bytes`;
  try {
    const der = soleBlock(pem);
    checkDer(der);
    checkSignature(parse(der));
    return '';
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}

/** Generous for any request; checked before a byte is parsed. */
const requestLimit = 64 * 1024;

function soleBlock(pem: string): Buffer {
  const [block, ...others] = decodePem(pem);
  if (block?.label !== 'CERTIFICATE REQUEST' || others.length > 0) {
    throw new PkiError('InvalidPem', 'PEM block type must be CERTIFICATE REQUEST');
  }
  return block.der;
}

function parse(der: Buffer): CertificationRequest {
  try {
    return CertificationRequest.fromBER(Uint8Array.from(der));
  } catch (cause) {
    throw new PkiError('InvalidRequest', 'not a PKCS#10 certificate request', cause);
  }
}

/** Hash of a signature algorithm, by OID (RFC 8017, RFC 5758); SHA-1 is not among them. */
const hashes: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
]);

function checkSignature(request: CertificationRequest): void {
  const key = loadPublicKey(new Uint8Array(request.subjectPublicKeyInfo.toSchema().toBER()));
  checkKey(key);
  const hash = hashes.get(request.signatureAlgorithm.algorithmId);
  if (!hash) throw new PkiError('BadSignature', 'signature algorithm of the certificate request is not supported');
  const signature = request.signatureValue.valueBlock.valueHexView;
  if (!verify(hash, request.tbsView, key, signature)) {
    throw new PkiError('BadSignature', 'certificate request is not signed by its key');
  }
}
