import * as asn1js from 'asn1js';
import { children, readName, type Subject } from './distinguished-name.ts';
import { parseDer } from './parse-der.ts';
import { PkiError } from './pki-error.ts';

/** Limit of a certificate in bytes, which keeps parsing cheap. */
const certificateLimitBytes = 64 * 1024;

/**
 * Reads the subject of a certificate from its DER, which keeps repeated organizations apart and
 * needs no unescaping. Does not verify the chain. Throws PkiError.
 */
export function certificateSubject(der: Uint8Array): Subject {
  if (der.length > certificateLimitBytes) throw new PkiError('InvalidCertificate', 'certificate is too large');
  const [tbs] = children(parseDer(der));
  const fields = children(tbs);
  // The version is the only optional field before the subject: an explicit context tag [0] (RFC
  // 5280 section 4.1).
  const versioned = fields[0] instanceof asn1js.Constructed && fields[0].idBlock.tagClass === 3;
  return readName(fields[versioned ? 5 : 4]);
}
