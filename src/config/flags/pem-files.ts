import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { decodePem, encodePem } from '../../pki/pem.ts';

/** A file and the flag that named it, for messages. */
interface NamedFile {
  readonly flag: string;
  readonly file: string;
}

/**
 * Reads a PEM file with one or more certificates and returns its text. Throws if it has none or a
 * broken one; the message names the flag. Node's TLS would silently skip it.
 */
export async function readCertificates({ flag, file }: NamedFile): Promise<string> {
  return await named({ flag, file }, async () => {
    const text = await readFile(file, 'utf8');
    const certificates = decodePem(text).filter(({ label }) => label === 'CERTIFICATE');
    if (certificates.length === 0) throw new Error('contains no PEM block of type CERTIFICATE');
    for (const { label, der } of certificates) check('a certificate', () => new X509Certificate(encodePem(label, der)));
    return text;
  });
}

/**
 * Reads the PEM private key of a certificate. Throws if it cannot be read or does not match; the
 * message names the flag.
 */
export async function readPrivateKey({ flag, file }: NamedFile, certificates: string): Promise<string> {
  return await named({ flag, file }, async () => {
    const text = await readFile(file, 'utf8');
    const key = check('a private key', () => createPrivateKey(text));
    // The first certificate of a serving file is the server's own.
    const matches = new X509Certificate(certificates).checkPrivateKey(key);
    if (!matches) throw new Error('is not the key of the certificate');
    return text;
  });
}

function check<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`contains ${what} that cannot be parsed`, { cause });
  }
}

/** Calls `read`; errors are rethrown with the flag and the file in the message. */
export async function named<T>({ flag, file }: NamedFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${flag} ${file}: ${problem}`, { cause });
  }
}
