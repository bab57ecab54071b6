import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CredentialError, type Credentials, type CredentialSource } from '../config/credential-source.ts';

/** A rotated certificate is used within this time. */
const certificateFileMs = 60_000;

type Certificate = Pick<Credentials, 'cert' | 'key'>;

/**
 * Adds the client certificate and key in two files to the credentials of a source. The files are
 * read again periodically and after a 401.
 */
export function certificateFileCredentials(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  source: CredentialSource,
): CredentialSource {
  let current: { readonly certificate: Certificate; readonly readAtMs: number } | undefined;

  async function read(): Promise<Certificate> {
    try {
      const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
      // One of the files may have been replaced already, and the other not yet.
      if (current && !isPair(cert, key)) return current.certificate;
      current = { certificate: { cert, key }, readAtMs: performance.now() };
      return current.certificate;
    } catch (cause) {
      throw new CredentialError(`cannot read the client certificate in ${certFile}`, { cause });
    }
  }

  function certificate(): Promise<Certificate> {
    const isFresh = current !== undefined && performance.now() - current.readAtMs <= certificateFileMs;
    return isFresh && current ? Promise.resolve(current.certificate) : read();
  }

  return {
    get: async () => ({ ...(await source.get()), ...(await certificate()) }),
    async renew(refused) {
      const renewed = await source.renew(refused);
      const found = await read();
      const isNew = found.cert !== refused.cert || found.key !== refused.key;
      return renewed || isNew ? { ...refused, ...renewed, ...found } : undefined;
    },
  };
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
