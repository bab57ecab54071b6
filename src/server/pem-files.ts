import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { decodePem, encodePem } from '../pki/pem.ts';

/** A file and the flag that named it, for messages. */
interface NamedFile {
  readonly flag: string;
  readonly file: string;
}

/**
 * Reads a file of one or more certificates in PEM and answers its text. TLS would pass over what it cannot read and trust
 * nobody, so a file without certificates, or with a broken one, is refused in words that name the flag.
 */
export async function readCertificates({ flag, file }: NamedFile): Promise<string> {
  return await named({ flag, file }, async () => {
    const text = await readFile(file, 'utf8');
    const certificates = decodePem(text).filter(({ label }) => label === 'CERTIFICATE');
    if (certificates.length === 0) throw new Error('holds no PEM block CERTIFICATE');
    for (const { label, der } of certificates) check('a certificate', () => new X509Certificate(encodePem(label, der)));
    return text;
  });
}

/** Reads the private key, in PEM, of a certificate. Throws an error that names the flag. */
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
    throw new Error(`holds ${what} that cannot be read`, { cause });
  }
}

/** Does what needs a file or folder; what goes wrong is said together with the flag that named it. */
export async function named<T>({ flag, file }: NamedFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${flag} ${file}: ${problem}`, { cause });
  }
}
