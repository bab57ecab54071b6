import * as asn1js from 'asn1js';
import { PkiError } from './pki-error.ts';

/**
 * The parts of a subject that identify a user (spec 5.1): the last common name and all
 * organizations in order.
 */
export interface Subject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';

/**
 * Reads a Name (RFC 5280 section 4.1.2.4) from its ASN.1 value. Common name and organization may
 * be UTF8String, PrintableString, IA5String or BMPString; other types, ill-formed UTF-8 and NUL are
 * refused.
 */
export function readName(name: unknown): Subject {
  let commonName = '';
  const organizations: string[] = [];
  for (const attribute of children(name).flatMap(children)) {
    const [type, value] = children(attribute);
    if (!(type instanceof asn1js.ObjectIdentifier)) throw new PkiError('InvalidCertificate', 'name is malformed');
    const oid = type.valueBlock.toString();
    if (oid === commonNameOid) commonName = text(value, 'common name');
    else if (oid === organizationOid) organizations.push(text(value, 'organization'));
  }
  return { commonName, organizations };
}

/** The elements of a SEQUENCE or SET; throws for anything else. */
export function children(element: unknown): readonly unknown[] {
  if (!(element instanceof asn1js.Sequence) && !(element instanceof asn1js.Set)) {
    throw new PkiError('InvalidCertificate', 'a SEQUENCE or SET was expected');
  }
  return element.valueBlock.value;
}

function text(value: unknown, what: string): string {
  const decode = decoders.find(([type]) => value instanceof type)?.[1];
  if (!decode || !(value instanceof asn1js.BaseBlock)) {
    throw new PkiError('InvalidCertificate', `${what} has a string type that is not supported`);
  }
  const decoded = decode(contentOf(value));
  if (decoded === undefined) throw new PkiError('InvalidCertificate', `${what} is not well-formed text`);
  if (decoded.includes('\0')) throw new PkiError('InvalidCertificate', `${what} contains NUL`);
  return decoded;
}

/** The content bytes of a DER string, after tag and length. */
function contentOf(block: asn1js.BaseBlock): Buffer {
  const whole = Buffer.from(block.valueBeforeDecodeView);
  return whole.subarray(whole.length - block.lenBlock.length);
}

const decoders: readonly (readonly [new (...parameters: never[]) => unknown, (bytes: Buffer) => string | undefined])[] =
  [
    [asn1js.Utf8String, decodeUtf8],
    [asn1js.PrintableString, decodeAscii],
    [asn1js.IA5String, decodeAscii],
    [asn1js.BmpString, decodeBmp],
  ];

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
