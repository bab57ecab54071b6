import { PkiError } from './pki-error.ts';
import { type DerElement, derTags, elementsOf, objectIdentifier } from './read-der.ts';

/**
 * The parts of a subject that identify a user (spec 5.1): the last common name, all organizations
 * in order, and the UIDs. A valid subject has at most one UID.
 */
export interface Subject {
  readonly commonName: string;
  /** All common names in order; of several, some programs read the first and others the last. */
  readonly commonNames: readonly string[];
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
}

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';

/** The OID of the attribute with the UID of a user, which Kubernetes has registered. */
const uidOid = '1.3.6.1.4.1.57683.2';

/**
 * Reads a Name (RFC 5280 section 4.1.2.4). Common name and organization may be UTF8String,
 * PrintableString, IA5String or BMPString; other types, ill-formed UTF-8 and NUL are refused.
 * Throws PkiError.
 */
export function readName(name: DerElement | undefined): Subject {
  const commonNames: string[] = [];
  const organizations: string[] = [];
  const uids: string[] = [];
  for (const attribute of elementsOf(name, derTags.sequence).flatMap((set) => elementsOf(set, derTags.set))) {
    const [type, value] = elementsOf(attribute, derTags.sequence);
    const oid = objectIdentifier(type);
    if (oid === commonNameOid) commonNames.push(text(value, 'common name'));
    else if (oid === organizationOid) organizations.push(text(value, 'organization'));
    else if (oid === uidOid) uids.push(text(value, 'UID'));
  }
  return { commonName: commonNames.at(-1) ?? '', commonNames, organizations, uids };
}

function text(value: DerElement | undefined, what: string): string {
  const decode = value && decoders.get(value.tag);
  if (!decode) throw new PkiError('InvalidCertificate', `${what} has a string type that is not supported`);
  const decoded = decode(Buffer.from(value.content));
  if (decoded === undefined) throw new PkiError('InvalidCertificate', `${what} is not well-formed text`);
  if (decoded.includes('\0')) throw new PkiError('InvalidCertificate', `${what} contains NUL`);
  return decoded;
}

/** UTF8String, PrintableString, IA5String and BMPString, by tag. */
const decoders: ReadonlyMap<number, (bytes: Buffer) => string | undefined> = new Map([
  [0x0c, decodeUtf8],
  [0x13, decodeAscii],
  [0x16, decodeAscii],
  [0x1e, decodeBmp],
]);

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeAscii(bytes: Buffer): string | undefined {
  return bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : undefined;
}

/** Two bytes per character, big-endian, without surrogates (X.690 section 8.23.8). */
function decodeBmp(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const decoded = Buffer.from(bytes).swap16().toString('utf16le');
  return /[\ud800-\udfff]/.test(decoded) ? undefined : decoded;
}
