import type { KeyObject } from 'node:crypto';
import { type Attribute, CertificationRequest, Extensions } from 'pkijs';
import { checkKey, loadPublicKey } from './check-key.ts';
import { children, readName, type Subject } from './distinguished-name.ts';
import { parseDer } from './parse-der.ts';
import { decodePem } from './pem.ts';
import { PkiError } from './pki-error.ts';

/** A request that is well formed, signed by its own key, and whose key may be certified. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  /** By OID: the DER of each requested extension's value. */
  readonly extensions: ReadonlyMap<string, Buffer>;
}

/** Generous for any request; checked before a byte is parsed. */
const requestLimitBytes = 64 * 1024;

const extensionRequestOid = '1.2.840.113549.1.9.14';

/**
 * Reads a PKCS#10 request (RFC 2986), from PEM with exactly one block `CERTIFICATE REQUEST` and nothing else but white
 * space, or from DER. Throws PkiError: InvalidPem, InvalidDer, InvalidRequest, BadSignature, KeyNotAllowed.
 */
export async function parseCertificateRequest(request: string | Uint8Array): Promise<CertificateRequest> {
  if (request.length > requestLimitBytes) {
    throw new PkiError('InvalidRequest', `certificate request is larger than ${requestLimitBytes} bytes`);
  }
  const der = typeof request === 'string' ? soleBlock(request) : request;
  const value = parseDer(der);
  const parsed = parse(der);
  const publicKey = loadPublicKey(new Uint8Array(parsed.subjectPublicKeyInfo.toSchema().toBER()));
  checkKey(publicKey);
  if (!(await verified(parsed))) throw new PkiError('BadSignature', 'certificate request is not signed by its key');
  return { subject: readSubject(value), publicKey, extensions: requestedExtensions(parsed.attributes ?? []) };
}

/** The subject is the second field of the request's info (RFC 2986 section 4.1). */
function readSubject(request: unknown): Subject {
  const [info] = children(request);
  return readName(children(info)[1]);
}

function soleBlock(pem: string): Buffer {
  const [block, ...others] = decodePem(pem);
  const surrounded = !/^\s*-----BEGIN /.test(pem) || !/-----\s*$/.test(pem);
  if (!block || others.length > 0 || surrounded || block.label !== 'CERTIFICATE REQUEST') {
    throw new PkiError('InvalidPem', 'PEM block type must be CERTIFICATE REQUEST, and the only one');
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

async function verified(request: CertificationRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    // An algorithm that the engine does not know cannot be checked, and so does not count.
    return false;
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
