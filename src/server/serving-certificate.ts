import { hostname, networkInterfaces } from 'node:os';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { ensureServingCertificates } from '../pki/ensure-serving-certificates.ts';
import { encodeKey, generateKey } from '../pki/generate-key.ts';
import { named, readCertificates, readPrivateKey } from './pem-files.ts';
import type { ServerOptions } from './server-options.ts';

/** Longer than a process lives that was started for a test or inside another program. */
const inMemoryLifetimeMs = 10 * 365 * 24 * 3_600_000;

/** What the listener presents, and the CA that clients trust it by. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
  /** PEM; the certificate itself where a file was given, for a client may trust that. */
  readonly ca: string;
}

/** Addresses and names that a client on this machine or in the cluster may use for the server. */
function servingNames(options: ServerOptions, identifiers: Identifiers): string[] {
  const everywhere = options.bindAddress === '0.0.0.0' || options.bindAddress === '::';
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map((address) => address.address.split('%')[0] ?? ''),
  );
  const service = identifiers.product;
  return [
    'localhost',
    '127.0.0.1',
    '::1',
    ...(everywhere ? [hostname(), ...own] : [options.bindAddress]),
    service,
    `${service}.default`,
    `${service}.default.svc`,
    `${service}.default.svc.cluster.local`,
  ].filter(Boolean);
}

/** A CA and a certificate that live as long as the process: for embedding and tests. */
async function inMemoryCertificate(names: readonly string[]): Promise<ServingCertificate> {
  const { issueAuthorityCertificate, issueServingCertificate } = await import('../pki/issue-certificate.ts');
  const [caKey, key] = await Promise.all([generateKey(), generateKey()]);
  const ca = await issueAuthorityCertificate(caKey, 'apiserver-ca', new Date(Date.now() + inMemoryLifetimeMs));
  const cert = await issueServingCertificate({ certificatePem: ca, key: caKey }, key, names);
  return { cert, key: encodeKey(key), ca };
}

/** Reads the certificate that the options name, or makes one with a CA of its own. */
export async function servingCertificate(
  options: ServerOptions,
  identifiers: Identifiers,
): Promise<ServingCertificate> {
  if (options.tlsCertFile !== undefined && options.tlsPrivateKeyFile !== undefined) {
    const cert = await readCertificates({ flag: '--tls-cert-file', file: options.tlsCertFile });
    const key = await readPrivateKey({ flag: '--tls-private-key-file', file: options.tlsPrivateKeyFile }, cert);
    return { cert, key, ca: cert };
  }
  const names = servingNames(options, identifiers);
  if (options.certDir === undefined) return await inMemoryCertificate(names);
  const { certDir } = options;
  const made = await named({ flag: '--cert-dir', file: certDir }, () => ensureServingCertificates(certDir, names));
  return { cert: made.certPem, key: made.keyPem, ca: made.caPem };
}
