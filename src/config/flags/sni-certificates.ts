import { X509Certificate } from 'node:crypto';
import { type FlagType, FlagValueError } from '../../flags/flag-types.ts';
import { readCertificates, readPrivateKey } from './pem-files.ts';

/** The files of a certificate for clients that connect under certain names. */
export interface SniCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Host names; a first label `*` stands for any. Empty: the names of the certificate. */
  readonly names: readonly string[];
}

/** A certificate with the names under which it is presented. */
export interface SniCertificate {
  readonly cert: string;
  readonly key: string;
  readonly names: readonly string[];
}

/** The values of `--tls-sni-cert-key`: `cert,key[:name,...]`. */
export const sniCertificateFiles: FlagType<SniCertificateFiles> = {
  placeholder: 'cert,key[:names]',
  parse: (given) => {
    const [files = '', names = ''] = given.split(':');
    const [certFile = '', keyFile = '', ...others] = files.split(',').map((file) => file.trim());
    if (certFile === '' || keyFile === '' || others.length > 0 || given.split(':').length > 2) {
      throw new FlagValueError('use <certificate file>,<key file> or <certificate file>,<key file>:<name>,...');
    }
    const listed = names.split(',').map((name) => name.trim().toLowerCase());
    return { certFile, keyFile, names: listed.filter(Boolean) };
  },
  format: ({ certFile, keyFile, names }) => `${certFile},${keyFile}${names.length > 0 ? `:${names.join(',')}` : ''}`,
};

/** Reads the certificates. Errors name the flag and the file. */
export async function readSniCertificates(all: readonly SniCertificateFiles[]): Promise<readonly SniCertificate[]> {
  const flag = '--tls-sni-cert-key';
  return await Promise.all(
    all.map(async ({ certFile, keyFile, names }) => {
      const cert = await readCertificates({ flag, file: certFile });
      const key = await readPrivateKey({ flag, file: keyFile }, cert);
      return { cert, key, names: names.length > 0 ? names : namesIn(cert) };
    }),
  );
}

/** The host names of a certificate. */
function namesIn(pem: string): string[] {
  const { subjectAltName = '' } = new X509Certificate(pem);
  return subjectAltName
    .split(', ')
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice('DNS:'.length).toLowerCase());
}

/**
 * Finds the certificate for a host name: one that has the name itself is preferred to one with a
 * wildcard, and earlier ones to later ones.
 */
export function findByName<T extends Pick<SniCertificate, 'names'>>(
  certificates: readonly T[],
  host: string,
): T | undefined {
  const name = host.toLowerCase();
  const wildcard = `*${name.slice(name.indexOf('.'))}`;
  const having = (wanted: string): T | undefined => certificates.find(({ names }) => names.includes(wanted));
  return having(name) ?? (name.includes('.') ? having(wildcard) : undefined);
}
