import { X509Certificate } from 'node:crypto';
import { loosePemBlocks } from '../../../pki/pem.ts';
import { collectedErrorLimit } from '../../../status/all-errors.ts';
import { type FieldError, invalid, tooLong } from '../../../status/field-error.ts';

/** Maximum size of a bundle in bytes, which bounds the time to parse it. */
const bundleLimit = 1024 * 1024;

const omitted = '<value omitted>';

/**
 * The errors of a trust bundle. It must contain at least one certificate, only CA certificates, no
 * duplicates and no headers. Duplicates are reported only if all blocks can be parsed.
 */
export function trustBundleErrors(field: string, pem: string): FieldError[] {
  if (Buffer.byteLength(pem) > bundleLimit) return [tooLong(field, bundleLimit)];
  const errors: FieldError[] = [];
  const indices = new Map<string, number[]>();
  let index = 0;
  for (const block of loosePemBlocks(pem)) {
    const problem = blockProblem(block);
    if (problem !== '') errors.push(invalid(field, omitted, `entry ${index} ${problem}`));
    const key = block.der.toString('latin1');
    const known = indices.get(key);
    if (known) known.push(index);
    else indices.set(key, [index]);
    index++;
    if (errors.length >= collectedErrorLimit) break;
  }
  if (errors.length > 0) return errors;
  if (index === 0) return [invalid(field, omitted, 'at least one trust anchor must be provided')];
  return [...indices.values()]
    .filter(({ length }) => length > 1)
    .map((repeated) => invalid(field, omitted, `duplicate trust anchor (indices [${repeated.join(' ')}])`));
}

interface Block {
  readonly label: string;
  readonly der: Buffer;
  readonly hasHeaders: boolean;
}

function blockProblem({ label, der, hasHeaders }: Block): string {
  if (label !== 'CERTIFICATE') return `has bad block type: ${label}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = readCertificate(der);
  if (!certificate) return 'does not parse as X.509';
  return certificate.ca ? '' : 'does not have the CA bit set';
}

/** Parses the DER of a single certificate; undefined if it is invalid or more than one. */
export function readCertificate(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.length === der.length ? certificate : undefined;
  } catch {
    // OpenSSL throws for any malformed input; the error codes depend on its version.
    return undefined;
  }
}
