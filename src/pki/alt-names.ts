import { PkiError } from './pki-error.ts';
import { derTags, elementsOf, readDer } from './read-der.ts';

/** The OID of SubjectAltName. */
export const subjectAltNameOid = '2.5.29.17';

/** The kinds of names in a SubjectAltName (RFC 5280 section 4.2.1.6), by number of their tags. */
const kinds = [
  'otherName',
  'Email',
  'DNS',
  'x400Address',
  'directoryName',
  'ediPartyName',
  'URI',
  'IP',
  'registeredID',
] as const;

/** A kind of name in a SubjectAltName. */
export type AltNameKind = (typeof kinds)[number];

const texts: ReadonlySet<AltNameKind> = new Set(['Email', 'DNS', 'URI']);
const contextClass = 2;

/**
 * Reads the kinds of names in a requested SubjectAltName, each once; none if it is not requested.
 * Throws PkiError for a malformed one.
 */
export function altNameKinds(der: Uint8Array | undefined): ReadonlySet<AltNameKind> {
  const names = der ? elementsOf(readDer(der), derTags.sequence) : [];
  return new Set(
    names.map(({ tag, content }) => {
      const kind = tag >> 6 === contextClass ? kinds[tag & 0x1f] : undefined;
      if (!kind || !isWellFormed(kind, content)) {
        throw new PkiError('InvalidRequest', 'requested subjectAltName is malformed');
      }
      return kind;
    }),
  );
}

function isWellFormed(kind: AltNameKind, content: Uint8Array): boolean {
  if (kind === 'IP') return content.length === 4 || content.length === 16;
  return !texts.has(kind) || content.every((byte) => byte > 0x20 && byte < 0x7f);
}
