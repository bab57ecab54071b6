import { readName, type Subject } from './distinguished-name.ts';
import { PkiError } from './pki-error.ts';
import { derTags, elementsOf, readDer } from './read-der.ts';

/** Limit of a certificate in bytes, which keeps parsing cheap. */
const certificateLimitBytes = 64 * 1024;

/** The explicit tag [0] of the version. */
const versionTag = 0xa0;

/**
 * Reads the subject of a certificate from its DER, which keeps repeated organizations apart and
 * needs no unescaping. Does not verify the chain. Throws PkiError.
 */
export function certificateSubject(der: Uint8Array): Subject {
  if (der.length > certificateLimitBytes) throw new PkiError('InvalidCertificate', 'certificate is too large');
  const [tbs] = elementsOf(readDer(der), derTags.sequence);
  const fields = elementsOf(tbs, derTags.sequence);
  // The version is the only optional field before the subject (RFC 5280 section 4.1).
  return readName(fields[fields[0]?.tag === versionTag ? 5 : 4]);
}
